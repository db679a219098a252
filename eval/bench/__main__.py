"""Measure speed and size: ``python -m eval.bench --sizes 2000 20000``.

Figures of one run are comparable with each other, not with those of another machine or hour.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from engine.errors import EngineError
from eval.bench.analysing import analyse
from eval.bench.asking import ask
from eval.bench.building import build
from eval.bench.corpus import LAWS
from eval.bench.figures import Figure, load, save, table
from eval.bench.growth import draw, growth_table
from eval.bench.lexical import compare
from eval.bench.peers import ensemble

_PARTS = ("build", "ask", "lexical", "peers", "analyse")
_BULK_RATE = 60.0
"""Passages a second that the bundled weights embed in bulk, where it is not measured here."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what was asked for, print a table a size, and leave tables, figures and a plot behind."""
    options = _parser().parse_args(arguments)
    data = options.data if options.data.is_file() else None
    if data is None:
        print(f"{options.data}: not there; measuring with invented statutes", file=sys.stderr)
    options.out.mkdir(parents=True, exist_ok=True)
    for size in sorted(options.sizes):
        try:
            measured = _measure(options, size, data)
        except EngineError as error:
            print(f"bench: {error}", file=sys.stderr)
            return 1
        save(measured, options.out / f"{size}.json")
        print(f"\n## {size:,} children\n\n{table(measured)}", flush=True)
    saved = [path for path in options.out.glob("*.json") if path.stem.isdigit()]
    sizes = {int(path.stem): load(path) for path in saved}
    if len(sizes) > 1 and (grown := growth_table(sizes)):
        print(f"\n## Growth\n\n{grown}")
        draw(sizes, options.out / "growth.svg")
    return 0


def _measure(options: argparse.Namespace, size: int, data: Path | None) -> list[Figure]:
    root, number = options.work.absolute(), options.questions
    parts = {
        "build": lambda: build(root, size, data, options.passages_a_second),
        "ask": lambda: ask(root, size, number),
        "lexical": lambda: compare(root, size, number),
        "peers": lambda: ensemble(root, size, number),
        "analyse": lambda: analyse(root, size, options.passages),
    }
    figures: list[Figure] = []
    for name in options.parts:
        print(f"{size} children: {name}", file=sys.stderr, flush=True)
        figures += parts[name]()
    return figures


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m eval.bench", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[2000, 20_000], metavar="CHILDREN")
    parser.add_argument("--parts", nargs="+", choices=_PARTS, default=_PARTS)
    parser.add_argument("--data", type=Path, default=LAWS, help="laws.jsonl.gz")
    parser.add_argument("--work", type=Path, default=Path("reports/bench/work"))
    parser.add_argument("--out", type=Path, default=Path("reports/bench"))
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument(
        "--passages",
        type=int,
        default=4096,
        help="embedded by the model; 1,024 of them in both ways",
    )
    parser.add_argument(
        "--passages-a-second", type=float, default=_BULK_RATE, help="embedding, added to builds"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
