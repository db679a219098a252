"""How a piece of evidence was found, for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.config import Config
from engine.retrieve.abstention import Silence

_TERMS = 8


def written(why: Mapping[str, Any]) -> str:
    """``Evidence.why``, a line a point: terms, both legs, the sum, and the second wording."""
    lines = [_terms(why.get("terms", {})), _lexical(why), _dense(why), _parts(why), _words(why)]
    if "rerank" in why:
        lines.append(f"rerank  {why['rerank']:.4f}, before it rank {why['fused_rank']}")
    if "rewrite" in why:
        places = ", ".join(why["rewrite"]["places"])
        lines.append(f"rewrite {why['rewrite']['text']} ({places})")
    lines += [
        f"place   {name} is ambiguous: {', '.join(ids)}"
        for name, ids in why.get("ambiguous", {}).items()
    ]
    return "\n".join(line for line in lines if line)


def refused(silence: Silence, config: Config) -> str:
    """Why a question found nothing."""
    if silence.unstated:
        return f"figures no passage near has one of the kind asked for: {silence.unstated}"
    if silence.judged is not None:
        return f"rerank  {silence.judged:.4f} at best; {config.rerank.min_score} is asked for"
    if silence.coverage is None:
        return "nothing matches enough of the question, by words or by meaning"
    asked = config.retrieval.min_coverage
    return f"{_words(silence.coverage.told())}; {asked:.0%} are asked for"


def _words(why: Mapping[str, Any]) -> str:
    """The question's words in one place; only told where no cosine was near enough."""
    if "coverage" not in why:
        return ""
    share, missing = why["coverage"]["share"], why["coverage"]["missing"]
    absent = f", without {', '.join(missing)}" if missing else ""
    return f"words   {share:.0%} of the question's in one place{absent}"


def _terms(terms: Mapping[str, float]) -> str:
    """The heaviest matched terms, words before bigrams."""
    words = sorted(terms, key=lambda term: (term.startswith("#"), -terms[term], term))
    shown = ", ".join(f"{term} {terms[term]:.2f}" for term in words[:_TERMS])
    more = f" and {len(words) - _TERMS} more" if len(words) > _TERMS else ""
    return f"terms   {shown or 'none in common'}{more}"


def _lexical(why: Mapping[str, Any]) -> str:
    if not why.get("bm25_rank"):
        return "bm25    nothing in common" if "bm25" in why else ""
    return (
        f"bm25    {why['bm25']:.2f}, rank {why['bm25_rank']}, "
        f"{why['share']:.0%} of the question's weight"
    )


def _dense(why: Mapping[str, Any]) -> str:
    if why.get("cosine") is None:
        return ""
    return f"dense   cosine {why['cosine']:.3f}, rank {why['dense_rank'] or 'none'}"


def _parts(why: Mapping[str, Any]) -> str:
    """The summands of the score, where it is a sum."""
    parts = why.get("parts", {})
    if not parts:
        return ""
    summed = " + ".join(f"{name} {value:.3f}" for name, value in parts.items())
    return f"score   {sum(parts.values()):.3f} = {summed}"
