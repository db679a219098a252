"""Every Korean sentence that a reader of answers is shown; prompts for a model are not here."""

from __future__ import annotations

from collections.abc import Sequence

from engine.types import Pages

NOTHING_FOUND = "질문과 겹치는 단락을 찾지 못했습니다."
NOTHING_ANSWERS = "찾은 단락 가운데 질문에 답하는 것이 없습니다."
NO_PAGES = "쪽 정보 없음"
HEADS = {
    ("answer", False): "발췌 답변 (LLM 미사용)",
    ("summary", False): "발췌 요약 (LLM 미사용)",
    ("answer", True): "생성 답변 (검토 필요)",
    ("summary", True): "생성 요약 (검토 필요)",
}
CAVEAT = (
    "자동 검사는 인용 표시, 숫자·날짜·조항·이름, 부정 표현이 인용한 원문과 맞는지 봅니다. "
    "원문 자체가 옳은지, 해석이 타당한지는 증명하지 않습니다."
)
UNCOMPARED = (
    "‘검토 필요’ 문장은 위 검사만 통과했을 뿐, 뜻이 원문과 같은지 비교한 모델이 없습니다. "
    "원문과 대조해 읽으십시오."
)
REVIEW = "(검토 필요)"
REFERENCES = "참고문헌 (원문이 인용한 문헌이며, 이 답변이 직접 읽은 것은 아닙니다)"
SOURCES, OMITTED, PRUNED = "출처", "선택하지 않은 단락", "검증에서 제외된 문장"
NOTICES = "알림"
UNANSWERABLE = "찾은 근거만으로는 답할 수 없습니다."
EMPTY = "모델이 문장을 하나도 쓰지 않아 답을 제시하지 않습니다."
UNCITED = "문장에 인용이 없어 답을 제시하지 않습니다."
NO_SOURCE = "인용한 출처를 찾을 수 없습니다."
FAILED = "검증을 통과하지 못했습니다."


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


def pages(span: Pages | None) -> str:
    """``5쪽``, ``5–6쪽``, or that there are none."""
    if span is None:
        return NO_PAGES
    first, last = span
    return f"{first}쪽" if first == last else f"{first}–{last}쪽"


def unsent(count: int) -> str:
    """That the budget left evidence out."""
    return f"분량 한도 때문에 모델에 보내지 않은 단락이 {count}개 있습니다."


def all_failed(count: int) -> str:
    """Why nothing is shown although sentences were written."""
    return f"초안의 {count}문장이 모두 검증을 통과하지 못해 답을 제시하지 않습니다."


def strict_refusal(failed: int, count: int) -> str:
    """Why the strict policy shows nothing."""
    if failed:
        return f"초안의 {count}문장 가운데 {failed}문장이 검증을 통과하지 못해 답 전체를 제시하지 않습니다."
    return "초안 전체가 검증을 통과하지 못해 답을 제시하지 않습니다."


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f"‘{word}’" for word in words)
