"""``python -m eval.attack``: how much the checks catch, and how often they cry wolf."""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from engine.answer.validation.entailment import Entailer
from engine.answer.validation.oracle import load_entailer, validate
from engine.answer.validation.sources import Analyzer, read_sources
from engine.config import ValidationSettings
from engine.errors import EngineError
from engine.text.kiwi import Korean, Morpheme
from eval.attack.cases import PER_EVIDENCE_SET, Case, make_cases, make_evidence
from eval.attack.falsehoods import Words
from eval.attack.nli import count_pairs, read_pairs, write_nli_table
from eval.attack.passages import PassageText, read_passages
from eval.attack.table import Tally, write_table


class Remembering:
    """Kiwi that analyses each text once: the same passages come up in many cases."""

    def __init__(self, korean: Korean) -> None:
        self.korean = korean
        self._morphemes: dict[str, list[Morpheme]] = {}
        self._sentences: dict[str, list[tuple[int, int]]] = {}

    def morphemes(self, texts: Sequence[str]) -> list[list[Morpheme]]:
        """As `Korean.morphemes`."""
        new = [text for text in dict.fromkeys(texts) if text not in self._morphemes]
        if new:
            self._morphemes.update(zip(new, self.korean.morphemes(new), strict=True))
        return [self._morphemes[text] for text in texts]

    def sentences(self, text: str) -> list[tuple[int, int]]:
        """As `Korean.sentences`."""
        if text not in self._sentences:
            self._sentences[text] = self.korean.sentences(text)
        return self._sentences[text]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the bench; 1 for a user's mistake, in one line."""
    args = _parser().parse_args(argv)
    try:
        settings = ValidationSettings(
            entailment_backend="cross-encoder" if args.model else "none",
            entailment_model=args.model,
        )
        korean, entailer = Remembering(Korean()), load_entailer(settings)
        cases = make_all(args.passages, args.sets, args.split, args.seed, korean, args.rounds)
        tallies, shown = run(cases, korean, settings, entailer, args.show)
        pairs = read_pairs(args.nli, args.split) if args.nli else []
        counts = count_pairs(pairs, korean, settings, entailer)
    except EngineError as error:
        print(error, file=sys.stderr)
        return 1
    for line in shown:
        print(line, file=sys.stderr)
    if args.json:
        print(
            json.dumps({"/".join(k): t._asdict() for k, t in tallies.items()}, ensure_ascii=False)
        )
    else:
        print(write_table(tallies))
        if pairs:
            print(write_nli_table(counts))
    return 0


def run(
    cases: Iterable[Case],
    korean: Analyzer,
    settings: ValidationSettings,
    entailer: Entailer | None = None,
    show: int = 0,
) -> tuple[dict[tuple[str, str], Tally], list[str]]:
    """Tallies by family and kind, and some of the cases that went wrong."""
    tallies: dict[tuple[str, str], Tally] = defaultdict(Tally)
    shown: list[str] = []
    for case in cases:
        result = validate(case.draft, case.evidence, korean, settings, entailer)
        errors = [f for f in result.findings if f.severity == "error"]
        key = (case.family, case.kind)
        tally = tallies[key]
        tallies[key] = tally.add(bool(errors), case.check in {f.check for f in errors})
        if bool(errors) == case.true and tally.wrong(case.true) < show:
            shown.append(f"{case.family}/{case.kind}: {case.draft.sentences[0].text}  "
                         f"{[(f.check, f.detail) for f in errors][:2]}")  # fmt: skip
    return dict(tallies), shown


def make_all(
    paths: Sequence[Path], sets: int, split: str, seed: int, korean: Remembering, rounds: int = 1
) -> Iterator[Case]:
    """Cases over sets of passages; the two splits share none."""
    for path in paths:
        limit = 2 * sets * PER_EVIDENCE_SET
        passages = read_passages(path, limit, seed, korean.korean)
        words = _words(passages, korean)
        passages = passages[split == "report" :: 2]
        rng = random.Random(f"{seed}/{split}/{path.name}")
        for first in (
            list(range(0, len(passages) - PER_EVIDENCE_SET + 1, PER_EVIDENCE_SET)) * rounds
        ):
            evidence = make_evidence(passages[first : first + PER_EVIDENCE_SET])
            yield from make_cases(evidence, read_sources(evidence, korean), words, rng)


def _words(passages: Sequence[PassageText], korean: Remembering) -> Words:
    """Names and nouns to borrow, each in a fixed order."""
    found: dict[str, dict[str, None]] = {"NNP": {}, "NNG": {}, "SL": {}}
    for morphemes in korean.morphemes([p.text for p in passages]):
        for m in morphemes:
            if m.tag in found and len(m.form) > 1:
                found[m.tag][m.form] = None
    latin = [w for w in found["SL"] if w.isascii() and w.isalpha() and len(w) > 2] or ["Geungeo"]
    return Words(_kiwi(), latin, list(found["NNG"]), list(found["NNP"]))


def _kiwi() -> Any:
    from kiwipiepy import Kiwi

    return Kiwi()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m eval.attack", description=__doc__)
    known = "SQuAD .json, BEIR corpus.jsonl, statutes .jsonl.gz, or a folder of documents"
    parser.add_argument("--passages", type=Path, nargs="+", required=True, help=known)
    parser.add_argument("--nli", type=Path, help="pairs with labels, in the form of KLUE-NLI")
    parser.add_argument("--sets", type=int, default=60, help="sets of three passages a path")
    parser.add_argument("--rounds", type=int, default=1, help="times each set is drawn from")
    parser.add_argument("--split", choices=["tune", "report"], default="report")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--model", help="cross-encoder for entailment: hub id or folder")
    parser.add_argument("--show", type=int, default=0, help="wrong cases to list of each kind")
    parser.add_argument("--json", action="store_true")
    return parser


if __name__ == "__main__":
    sys.exit(main())
