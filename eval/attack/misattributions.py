"""Drafts whose ids or markers are wrong while every sentence is the source's own."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.types import Draft, DraftSentence, Evidence

Spoil = Callable[[Draft, Sequence[Evidence], random.Random], Draft]
"""A draft with one thing wrong; the evidence stays."""


def fake_id(draft: Draft, evidence: Sequence[Evidence], rng: random.Random) -> Draft:
    """An id that was not sent, spelled in any way."""
    n = rng.choice([0, len(evidence) + rng.randint(1, 90)])
    spelled = rng.choice(
        [f"DOC_{n}", f"[DOC_{n}]", f"[{n}]", f"doc {n}", f"DOC-{n:02}", f"［ＤＯＣ＿{n}］",
         f"DOC{n}",
         f"[DOC_1-{len(evidence) + 2}]", f"DOC_1, DOC_{n}", "자료 A", "출처"]
    )  # fmt: skip
    return _first(draft, cited=(*rng.choice([(), ("DOC_1",)]), spelled))


def fake_id_inside(draft: Draft, evidence: Sequence[Evidence], rng: random.Random) -> Draft:
    """The same inside the sentence's text."""
    n = rng.choice([0, len(evidence) + rng.randint(1, 90)])
    spelled = rng.choice(
        [
            f" [DOC_{n}]",
            f" (DOC_{n})",
            f"[{n}]",
            f" ［ＤＯＣ＿{n}］",
            f" [DOC_1-{len(evidence) + 1}]",
        ]
    )
    return _first(draft, text=draft.sentences[0].text + spelled)


def orphan(draft: Draft, evidence: Sequence[Evidence], rng: random.Random) -> Draft:
    """No id at all."""
    return _first(draft, cited=())


def marker_faked(draft: Draft, evidence: Sequence[Evidence], rng: random.Random) -> Draft:
    """A marker that no source carries."""
    return _first(draft, text=f"{draft.sentences[0].text} [R{rng.randint(40, 99)}]")


def marker_dropped(draft: Draft, evidence: Sequence[Evidence], rng: random.Random) -> Draft:
    """A summary's item without one of its markers."""
    text = draft.sentences[0].text
    at = text.rindex("[R")
    return _first(draft, text=text[:at] + text[text.index("]", at) + 1 :])


def marker_moved(draft: Draft, evidence: Sequence[Evidence], rng: random.Random) -> Draft:
    """A marker moved from one item to the next."""
    first, second, *rest = draft.sentences
    at = first.text.rindex("[R")
    end = first.text.index("]", at) + 1
    moved = first.text[at:end]
    return replace(
        draft,
        sentences=(
            replace(first, text=first.text[:at] + first.text[end:]),
            replace(second, text=f"{second.text} {moved}"), *rest,
        ),
    )  # fmt: skip


def item_missing(draft: Draft, evidence: Sequence[Evidence], rng: random.Random) -> Draft:
    """A summary without one of its items."""
    gone = rng.randrange(len(draft.sentences))
    return replace(draft, sentences=draft.sentences[:gone] + draft.sentences[gone + 1 :])


def item_doubled(draft: Draft, evidence: Sequence[Evidence], rng: random.Random) -> Draft:
    """An item twice."""
    return replace(draft, sentences=(*draft.sentences, rng.choice(draft.sentences)))


def item_empty(draft: Draft, evidence: Sequence[Evidence], rng: random.Random) -> Draft:
    """An item that says nothing."""
    return _first(draft, text=rng.choice(["", "   ", "-", "…"]))


def item_unknown(draft: Draft, evidence: Sequence[Evidence], rng: random.Random) -> Draft:
    """An item of a source that was not sent."""
    return _first(draft, source_id=f"S{rng.randint(20, 99)}-P1", cited=())


def _first(draft: Draft, **changes: object) -> Draft:
    first = replace(draft.sentences[0], **changes)  # type: ignore[arg-type]
    return replace(draft, sentences=(first, *draft.sentences[1:]))


def answer_of(text: str, evidence_id: str) -> Draft:
    """An answer of one sentence."""
    return Draft("answer", (DraftSentence(text, (evidence_id,)),))


def summary_of(evidence: Sequence[Evidence]) -> Draft:
    """A summary that repeats each source."""
    items = (DraftSentence(e.text, (e.evidence_id,), e.source_ids[0]) for e in evidence)
    return Draft("summary", tuple(items))


ANSWERS: dict[str, tuple[str, Spoil]] = {
    "fake id": ("existence", fake_id), "fake id in the text": ("existence", fake_id_inside),
    "orphan": ("orphan", orphan), "marker faked": ("markers", marker_faked),
}  # fmt: skip
SUMMARIES: dict[str, tuple[str, Spoil]] = {
    "marker dropped": ("markers", marker_dropped), "marker moved": ("markers", marker_moved),
    "item missing": ("completeness", item_missing), "item doubled": ("completeness", item_doubled),
    "item empty": ("completeness", item_empty), "item unknown": ("completeness", item_unknown),
}  # fmt: skip
