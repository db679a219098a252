"""Answers written out: plain text, Markdown, a self-contained HTML page, JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import cache
from typing import Any, Literal

from engine import messages
from engine.answer.pictures import picture
from engine.types import Answer, Citation, Omitted, Sentence

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


def place(citation: Citation | Omitted) -> str:
    """Where something stands, in words: pages, section, source ids."""
    ids = citation.source_ids if isinstance(citation, Citation) else (citation.source_id,)
    labels = citation.labels if isinstance(citation, Citation) else ()
    section = " > ".join(citation.section_path)
    parts = [messages.pages(citation.pages), section, ", ".join(labels), ", ".join(ids)]
    return " · ".join(part for part in parts if part)


def head(answer: Answer) -> str:
    """The line that says what kind of answer this is."""
    return messages.HEADS[answer.kind, answer.generated]


def _text(answer: Answer, show_pruned: bool) -> str:
    lines = [f"질문: {answer.question}", head(answer), ""]
    if answer.refusal:
        lines += [answer.refusal, ""]
    for sentence in answer.sentences:
        lines += [sentence.section] if sentence.section else []
        lines += [f"{sentence.text} {_numbers(sentence)}", ""]
    if answer.citations:
        lines.append(messages.SOURCES)
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
        lines += [f"### {messages.SOURCES}", ""]
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
        lines += ["", heading + messages.REFERENCES, *[""][: len(heading)]]
        lines += [f"{bullet}[{m}] {escape(entry)}" for m, entry in answer.references.items()]
    if answer.notices:
        lines += ["", heading + messages.NOTICES, *[""][: len(heading)]]
        lines += [bullet + escape(notice) for notice in answer.notices]
    if answer.pruned:
        lines += ["", f"{heading}{messages.PRUNED} ({len(answer.pruned)})", *[""][: len(heading)]]
        for s in answer.pruned if show_pruned else ():
            lines.append(f"{bullet}{escape(s.text)} — {escape('; '.join(s.reasons))}")
    if answer.omitted:
        lines += ["", f"{heading}{messages.OMITTED} ({len(answer.omitted)})", *[""][: len(heading)]]
        lines += [f"{bullet}{escape(place(o))}: {escape(o.text)}" for o in answer.omitted]
    if answer.generated:
        lines += ["", *caveats(answer)]
    return lines


def caveats(answer: Answer) -> list[str]:
    """What the checks of a generated answer do not prove."""
    uncompared = any(sentence.verdict == "unverified" for sentence in answer.sentences)
    return [messages.CAVEAT, messages.UNCOMPARED] if uncompared else [messages.CAVEAT]


def review(sentence: Sentence) -> str:
    """The mark of a sentence whose meaning nothing has compared with its source."""
    return messages.REVIEW if sentence.verdict == "unverified" else ""


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
        name.lower(): getattr(messages, name)
        for name in ("SOURCES", "REFERENCES", "PRUNED", "OMITTED", "NOTICES")
    }
    return environment.get_template("answer.html")
