"""Answers written out: plain text, Markdown, a self-contained HTML page, JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import cache
from typing import Any, Literal

from engine.answer.pictures import picture
from engine.types import Answer, Citation, Omitted, Pages, Sentence

NOTHING_FOUND = "질문과 겹치는 단락을 찾지 못했습니다."
NOTHING_ANSWERS = "찾은 단락 가운데 질문에 답하는 것이 없습니다."
NO_PAGES = "쪽 정보 없음"
_HEADS = {
    ("answer", False): "발췌 답변 (LLM 미사용)",
    ("summary", False): "발췌 요약 (LLM 미사용)",
    ("answer", True): "생성 답변 (검토 필요)",
    ("summary", True): "생성 요약 (검토 필요)",
}
_CAVEAT = (
    "자동 검사는 인용 표시, 숫자·날짜·조항·이름, 부정 표현이 인용한 원문과 맞는지 봅니다. "
    "원문 자체가 옳은지, 해석이 타당한지는 증명하지 않습니다."
)
_UNCOMPARED = (
    "‘검토 필요’ 문장은 위 검사만 통과했을 뿐, 뜻이 원문과 같은지 비교한 모델이 없습니다. "
    "원문과 대조해 읽으십시오."
)
_REVIEW = "(검토 필요)"
_REFERENCES = "참고문헌 (원문이 인용한 문헌이며, 이 답변이 직접 읽은 것은 아닙니다)"
_SOURCES, _OMITTED, _PRUNED = "출처", "선택하지 않은 단락", "검증에서 제외된 문장"
_NOTICES = "알림"

Form = Literal["text", "markdown", "html", "json"]


def render(
    answers: Sequence[Answer],
    form: Form = "text",
    *,
    show_omitted: bool = False,
    show_pruned: bool = False,
) -> str:
    """Write one or several answers out; the JSON of one is an object, of several an array."""
    if form == "json":
        values = [asdict(answer) for answer in answers]
        content = values[0] if len(values) == 1 else values
        return json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    shown = [_shown(answer, show_omitted) for answer in answers]
    if form == "html":
        return str(_template().render(answers=shown, show_pruned=show_pruned))
    write = _markdown if form == "markdown" else _text
    return "\n".join(write(answer, show_pruned) for answer in shown)


def _shown(answer: Answer, show_omitted: bool) -> Answer:
    return answer if show_omitted else replace(answer, omitted=())


def nothing_found(
    missing: Sequence[str] = (),
    unstated: str | None = None,
    *,
    judged: bool = False,
) -> str:
    """Why a question has no evidence.

    ``missing`` are its words that do not stand with the others, and may occur elsewhere;
    ``unstated`` is the quantity that it asks for, where passages were found and none has a figure
    of it; ``judged``: passages were found, and a second model says that none answers.
    """
    said = [NOTHING_ANSWERS if unstated or judged else NOTHING_FOUND]
    if unstated:
        said.append(f"질문이 묻는 수({unstated})가 가장 가까운 단락에 없습니다.")
    if words := [word for word in missing if word != unstated]:
        said.append(f"가장 가까운 단락에도 없는 말: {_quoted(words)}.")
    return " ".join(said)


def not_held(words: Sequence[str]) -> str:
    """That sentences may not answer a question, since these of its words do not stand near."""
    return (
        f"질문의 말 가운데 가장 가까운 단락에도 없는 것: {_quoted(words)}. "
        "발췌한 문장이 답이 아닐 수 있습니다."
    )


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f"‘{word}’" for word in words)


def place(citation: Citation | Omitted) -> str:
    """Where something stands, in words: pages, section, source ids."""
    ids = citation.source_ids if isinstance(citation, Citation) else (citation.source_id,)
    labels = citation.labels if isinstance(citation, Citation) else ()
    section = " > ".join(citation.section_path)
    parts = [pages(citation.pages), section, ", ".join(labels), ", ".join(ids)]
    return " · ".join(part for part in parts if part)


def pages(span: Pages | None) -> str:
    """``5쪽``, ``5–6쪽``, or that there are none."""
    if span is None:
        return NO_PAGES
    first, last = span
    return f"{first}쪽" if first == last else f"{first}–{last}쪽"


def head(answer: Answer) -> str:
    """The line that says what kind of answer this is."""
    return _HEADS[answer.kind, answer.generated]


def _text(answer: Answer, show_pruned: bool) -> str:
    lines = [f"질문: {answer.question}", head(answer), ""]
    if answer.refusal:
        lines += [answer.refusal, ""]
    for sentence in answer.sentences:
        lines += [sentence.section] if sentence.section else []
        lines += [f"{sentence.text} {_numbers(sentence)}", ""]
    if answer.citations:
        lines.append(_SOURCES)
    for citation in answer.citations:
        lines.append(f"[{citation.number}] {citation.title} · {place(citation)}")
        lines.append(f"    {citation.source}")
    lines += _rest(answer, show_pruned, bullet="  ", heading="")
    return "\n".join(lines) + "\n"


def _markdown(answer: Answer, show_pruned: bool) -> str:
    lines = [f"## {_escape(answer.question)}", "", f"*{head(answer)}*", ""]
    if answer.refusal:
        lines += [_escape(answer.refusal), ""]
    for sentence in answer.sentences:
        lines += [f"### {_escape(sentence.section)}", ""] if sentence.section else []
        lines += [f"{_escape(sentence.text)} {_numbers(sentence)}", ""]
    if answer.citations:
        lines += [f"### {_SOURCES}", ""]
    for citation in answer.citations:
        lines.append(
            f"- \\[{citation.number}\\] **{_escape(citation.title)}** · {_escape(place(citation))}"
            f" · [{_escape(citation.source)}](<{link(citation)}>)"
        )
    lines += _rest(answer, show_pruned, bullet="- ", heading="### ")
    return "\n".join(lines) + "\n"


def _rest(answer: Answer, show_pruned: bool, bullet: str, heading: str) -> list[str]:
    """Bibliography, pruned sentences, omitted paragraphs and the caveat, where there are any."""
    escape = _escape if heading else str
    lines: list[str] = []
    if answer.references:
        lines += ["", heading + _REFERENCES, *[""][: len(heading)]]
        lines += [f"{bullet}[{m}] {escape(entry)}" for m, entry in answer.references.items()]
    if answer.notices:
        lines += ["", heading + _NOTICES, *[""][: len(heading)]]
        lines += [bullet + escape(notice) for notice in answer.notices]
    if answer.pruned:
        lines += ["", f"{heading}{_PRUNED} ({len(answer.pruned)})", *[""][: len(heading)]]
        for s in answer.pruned if show_pruned else ():
            lines.append(f"{bullet}{escape(s.text)} — {escape('; '.join(s.reasons))}")
    if answer.omitted:
        lines += ["", f"{heading}{_OMITTED} ({len(answer.omitted)})", *[""][: len(heading)]]
        lines += [f"{bullet}{escape(place(o))}: {escape(o.text)}" for o in answer.omitted]
    if answer.generated:
        lines += ["", *caveats(answer)]
    return lines


def caveats(answer: Answer) -> list[str]:
    """What the checks of a generated answer do not prove."""
    uncompared = any(sentence.verdict == "unverified" for sentence in answer.sentences)
    return [_CAVEAT, _UNCOMPARED] if uncompared else [_CAVEAT]


def review(sentence: Sentence) -> str:
    """The mark of a sentence whose meaning nothing has compared with its source."""
    return _REVIEW if sentence.verdict == "unverified" else ""


def _numbers(sentence: Sentence) -> str:
    numbers = "".join(f"[{number}]" for number in sentence.citations)
    return f"{numbers} {review(sentence)}".rstrip()


def link(citation: Citation) -> str:
    """Address of the source file, at the cited page where it has pages."""
    return f"{citation.uri}#page={citation.pages[0]}" if citation.pages else citation.uri


def _escape(text: str) -> str:
    """Text that Markdown shows as it stands, on one line, with no HTML of its own."""
    text = re.sub(r"([\\`*_\[\]#|~])", r"\\\1", " ".join(text.split()))
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


@cache
def _template() -> Any:
    from jinja2 import Environment, PackageLoader

    environment = Environment(
        loader=PackageLoader("engine.answer", "."), autoescape=True, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    environment.filters |= {
        "place": place, "head": head, "link": link, "picture": picture, "review": review,
        "caveats": caveats,
    }  # fmt: skip
    environment.globals |= {
        "sources": _SOURCES, "references": _REFERENCES, "pruned": _PRUNED, "omitted": _OMITTED,
        "notices": _NOTICES,
    }  # fmt: skip
    return environment.get_template("answer.html")
