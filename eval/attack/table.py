"""The bench's outcome as a Markdown table: counts beside every rate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

_HEADINGS = {
    "ids": "ids, markers, completeness: caught",
    "literals": "literals: caught",
    "polarity": "polarity: caught",
    "beyond": "beyond what code can see: caught anyway",
    "faithful": "faithful: false alarms",
}


class Tally(NamedTuple):
    """Drafts of one kind: how many, how many failed, how many by the check meant for it."""

    drafts: int = 0
    failed: int = 0
    by_check: int = 0

    def add(self, failed: bool, by_check: bool) -> Tally:
        """One draft more."""
        return Tally(self.drafts + 1, self.failed + failed, self.by_check + by_check)

    def wrong(self, true: bool) -> int:
        """True drafts that failed, or false ones that did not."""
        return self.failed if true else self.drafts - self.failed


def write_table(tallies: Mapping[tuple[str, str], Tally]) -> str:
    """One row a kind, and one in all for each family."""
    lines: list[str] = []
    for family, heading in _HEADINGS.items():
        rows = {kind: t for (own, kind), t in tallies.items() if own == family}
        if not rows:
            continue
        lines += [
            f"| {heading} | drafts | failed | rate | by the check meant |",
            "|---|---|---|---|---|",
        ]
        lines += [_row(kind, tally) for kind, tally in rows.items()]
        lines += [_row("**all**", Tally(*map(sum, zip(*rows.values(), strict=True)))), ""]
    return "\n".join(lines)


def _row(kind: str, tally: Tally) -> str:
    rate = tally.failed / tally.drafts
    return f"| {kind} | {tally.drafts} | {tally.failed} | {rate:.1%} | {tally.by_check} |"
