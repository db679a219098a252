"""The two shapes a language model may answer in, as JSON schema and as what is read back."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints, ValidationError

from engine.answer.reply import reply_text
from engine.errors import GenerationError
from engine.types import Draft, DraftSentence

Text = Annotated[str, AfterValidator(lambda text: unicodedata.normalize("NFC", text.strip()))]
Written = Annotated[Text, StringConstraints(strip_whitespace=True, min_length=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _AnswerSentence(_Strict):
    sentence: Written
    citing_doc_ids: list[Text]


class _AnswerReply(_Strict):
    answerable: bool
    sentences: list[_AnswerSentence]


class _SummaryItem(_Strict):
    source_id: Text
    text: Text


class _SummaryReply(_Strict):
    items: list[_SummaryItem]


def answer_schema(ids: Sequence[str]) -> dict[str, Any]:
    """Schema of an answer that can cite nothing but these ids."""
    cited = {"type": "array", "items": {"type": "string", "enum": list(ids)}}
    sentence = _object({"sentence": {"type": "string"}, "citing_doc_ids": cited})
    return _object(
        {"answerable": {"type": "boolean"}, "sentences": {"type": "array", "items": sentence}}
    )


def summary_schema(ids: Sequence[str]) -> dict[str, Any]:
    """Schema of a summary with one item for each of these ids."""
    item = _object({"source_id": {"type": "string", "enum": list(ids)}, "text": {"type": "string"}})
    return _object({"items": {"type": "array", "items": item}})


def read_draft(kind: Literal["answer", "summary"], payload: Mapping[str, Any]) -> Draft:
    """The draft in a reply. Ids are taken as they stand: whether they exist is for the checks.

    Raises:
        GenerationError: the reply is not whole, not JSON, or not of the shape that was asked for.
    """
    text = reply_text(payload)
    try:
        if kind == "answer":
            return _answer_draft(_AnswerReply.model_validate_json(text))
        return _summary_draft(_SummaryReply.model_validate_json(text))
    except ValidationError as error:
        raise _misshapen(error) from None


def _answer_draft(reply: _AnswerReply) -> Draft:
    sentences = tuple(
        DraftSentence(s.sentence, tuple(dict.fromkeys(s.citing_doc_ids))) for s in reply.sentences
    )
    return Draft("answer", sentences, reply.answerable)


def _summary_draft(reply: _SummaryReply) -> Draft:
    items = (DraftSentence(i.text, (), i.source_id) for i in reply.items)
    return Draft("summary", tuple(items))


def _misshapen(error: ValidationError) -> GenerationError:
    problem = error.errors(include_input=False)[0]
    if problem["type"] == "json_invalid":
        return GenerationError(
            "the language model's reply is not JSON; check that the server supports JSON schemas",
            kind="garbled",
            retryable=True,
        )
    field = ".".join(map(str, problem["loc"]))
    return GenerationError(
        f"the language model's reply has the wrong shape at {field!r}: {problem['msg'].lower()}",
        kind="shape",
        retryable=True,
    )


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
