"""Corpora of a wanted number of children: statutes where they are at hand, or invented ones."""

from __future__ import annotations

import gzip
import json
import random
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.config import Config, make_config

LAWS = Path(__file__).resolve().parents[2] / "../shared/data/laws-ko/laws.jsonl.gz"
_CHARS_A_CHILD = 172
"""As the statutes come out at the default sizes of children."""
_NOUNS = """
신청 허가 기관 시설 사업 계획 보고 위원회 장관 시장 지역 환경 안전 교육 건축 도로 하천 문화 유산
보조금 수수료 과태료 기준 절차 심사 자격 면허 등록 변경 취소 정지 조사 협의 지원 기금 회계 감독 업무
""".split()  # noqa: SIM905
_VERBS = "정한다 따른다 준용한다 신고한다 제출한다 통보한다 고시한다 면제한다".split()  # noqa: SIM905


@dataclass(frozen=True, slots=True)
class Text:
    """One document before it is a file."""

    name: str
    content: str


def texts(data: Path | None) -> Iterator[Text]:
    """Documents in a fixed random order: statutes from ``data``, or invented ones without end."""
    if data is None:
        yield from _invented()
        return
    with gzip.open(data, "rt", encoding="utf-8") as file:
        laws = [json.loads(line) for line in file]
    random.Random(0).shuffle(laws)
    for law in laws:
        yield Text(law["path"].replace("/", "_"), law["text"])


def write_corpus(folder: Path, children: int, data: Path | None) -> None:
    """Fill a folder with documents of about so many children; one already filled is kept."""
    done = folder / ".done"
    if done.is_file():
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    left = children * _CHARS_A_CHILD
    for text in texts(data):
        if left <= 0:
            break
        (folder / text.name).write_text(text.content, encoding="utf-8")
        left -= len(text.content)
    done.touch()


def configure(root: Path, name: str) -> Config:
    """The default settings over one corpus, with codes for the vectors at any size."""
    content = {
        "corpus": {"paths": [f"{name}/docs"]},
        "index": {"path": f"{name}/index"},
        "dense": {"index": "codes"},
        "places": {"catalog": None},
    }
    return make_config(content, root=root)


def _invented() -> Iterator[Text]:
    """Statutes of words drawn by rank (Zipf), each with names of its own."""
    draw = random.Random(0)
    weights = [1 / rank for rank in range(1, len(_NOUNS) + 1)]
    number = 0
    while True:
        number += 1
        own = ["".join(draw.choices("가나다라마바사아자차카타파하", k=3)) for _ in range(30)]
        articles = [
            f"##### 제{at}조 ({' '.join(draw.choices(_NOUNS, weights, k=2))})\n\n"
            + " ".join(_sentence(draw, weights, own) for _ in range(draw.randint(2, 6)))
            for at in range(1, draw.randint(20, 80))
        ]
        yield Text(f"law{number:06}.md", f"# 모의 법률 {number}\n\n" + "\n\n".join(articles) + "\n")


def _sentence(draw: random.Random, weights: list[float], own: list[str]) -> str:
    words = [*draw.choices(_NOUNS, weights, k=draw.randint(4, 10)), draw.choice(own)]
    draw.shuffle(words)
    return "의 ".join(words[:2]) + "은 " + " ".join(words[2:]) + f"을 {draw.choice(_VERBS)}."
