"""How an answer came about, as plain values that can be written as JSON; never a key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from engine.answer import prompts
from engine.answer.judgement import Attempt
from engine.config import ValidationSettings
from engine.types import Evidence


def audit(
    kind: prompts.Shape,
    settings: ValidationSettings,
    sent: Sequence[Evidence],
    unsent: Sequence[Evidence],
    attempts: Sequence[Attempt],
    shown: Attempt | None,
) -> dict[str, Any]:
    """The wording asked with, what was sent, every attempt, and the one shown (from 1), if any."""
    return {
        "instructions": prompts.instructions_id(kind),
        "validation": settings.model_dump(mode="json"),
        "sent": [_sent(evidence) for evidence in sent],
        "unsent": [evidence.evidence_id for evidence in unsent],
        "attempts": [_logged(attempt) for attempt in attempts],
        "shown": None if shown is None else 1 + [a is shown for a in attempts].index(True),
    }


def _sent(evidence: Evidence) -> dict[str, Any]:
    return {
        "evidence_id": evidence.evidence_id,
        "child_id": evidence.child_id,
        "block_ids": list(evidence.block_ids),
        "chars": len(evidence.text),
    }


def _logged(attempt: Attempt) -> dict[str, Any]:
    payload = attempt.exchange.payload
    checked, error = attempt.validation, attempt.error
    return {
        "request": attempt.exchange.key,
        "model": attempt.exchange.model,
        "answered_by": payload.get("model"),
        "reply_id": payload.get("id"),
        "usage": payload.get("usage"),
        "error": {"kind": error.kind, "message": str(error)} if error else None,
        "draft": asdict(attempt.draft) if attempt.draft else None,
        "verdicts": list(checked.verdicts) if checked else None,
        "findings": [asdict(finding) for finding in checked.findings] if checked else None,
    }
