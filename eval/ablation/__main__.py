"""``python -m eval.ablation``: the tables of ``docs/retrieval.md``, over built indexes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.build import open_korean
from engine.config import Config, load_config
from engine.engine import Engine
from engine.errors import EngineError, IndexFault
from engine.index.manifest import live_generation
from engine.tools.progress import shown
from eval.ablation import (
    analyzer,
    articles,
    extracts,
    fusions,
    quantities,
    rewrites,
    sections,
    silence,
)
from eval.ablation.lab import Lab, analyse, candidates, open_lab
from eval.ablation.labelled import halves
from eval.ablation.table import Row, markdown
from eval.indexes import changed

TABLES = ("analyzer", "fusion", "rewrite", "sections", "silence", "elsewhere", "extracts")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables asked for; 1 for a user's mistake."""
    options = _parser().parse_args(arguments)
    try:
        config = load_config(options.config)
        if options.squad:
            counted = list(quantities.quantity_rows(options.squad, open_korean(config)))
            print(f"\nquantities\n\n{markdown(quantities.HEADER, counted)}")
        labs = [open_lab(_ready(config, folder, options.cache), folder) for folder in options.sets]
        if options.laws:
            found = list(articles.article_rows(options.laws, config))
            print(f"\narticles\n\n{markdown(articles.HEADER, found)}")
    except (EngineError, OSError) as error:
        print(f"eval.ablation: {error}", file=sys.stderr)
        return 1
    for table in options.tables:
        header, rows = _table(table, labs, options.sets, options.half)
        print(f"\n{table}\n\n{markdown(header, rows)}")
    return 0


def _table(
    name: str, labs: Sequence[Lab], folders: Sequence[Path], half: str
) -> tuple[Sequence[str], Iterator[Row]]:
    if name == "analyzer":
        found = (row for lab in labs for row in analyzer.analyzer_rows(lab, _half(lab, half)))
        return analyzer.HEADER, found
    if name == "fusion":
        return fusions.HEADER, (row for lab in labs for row in _fused(lab, half))
    if name == "rewrite":
        named = [lab for lab in labs if lab.engine.config.places.catalog]
        found = (row for lab in named for row in rewrites.rewrite_rows(lab, _half(lab, half)))
        return rewrites.HEADER, found
    if name == "sections":
        found = (row for lab in labs for row in sections.section_rows(lab, _half(lab, half)))
        return sections.HEADER, found
    if name == "extracts":
        read = zip(labs, folders, strict=True)
        found = (
            row for lab, folder in read
            for row in extracts.extract_rows(lab, _half(lab, half), folder)
        )  # fmt: skip
        return extracts.HEADER, found
    if name == "elsewhere":
        return silence.ELSEWHERE_HEADER, silence.elsewhere_rows(labs)
    mixed = [lab for lab in labs if not all(question.grades for question in lab.questions)]
    return silence.HEADER, (r for lab in mixed for r in silence.silence_rows(lab, *_halves(lab)))


def _fused(lab: Lab, half: str) -> Iterator[Row]:
    found = candidates(analyse(lab, lab.engine.tokenizer))
    return fusions.fusion_rows(lab, found, _half(lab, half))


def _halves(lab: Lab) -> tuple[list[int], list[int]]:
    return halves(lab.questions)


def _half(lab: Lab, half: str) -> list[int]:
    tune, test = _halves(lab)
    return {"tune": tune, "test": test, "both": sorted([*tune, *test])}[half]


def _ready(config: Config, folder: Path, cache: Path) -> Config:
    """The configuration to open: of the set's own corpus, built if need be, or the given one."""
    corpus = folder / "corpus.jsonl"
    if corpus.is_file():
        own = {
            "corpus.paths": [str(corpus.absolute())],
            "index.path": str((cache / folder.name).absolute()),
            "places.catalog": None,
        }
        config = changed(config, own)
        with shown() as progress:
            Engine.build(config, progress=progress)
        return config
    try:
        live_generation(config.resolve(config.index.path))
    except IndexFault:
        with shown() as progress:
            Engine.build(config, progress=progress)
    return config


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m eval.ablation", description=__doc__)
    parser.add_argument("sets", nargs="*", type=Path, default=[Path("data/eval/heritage")],
                        metavar="SET", help="folders in BEIR layout")  # fmt: skip
    parser.add_argument("--tables", nargs="+", choices=TABLES, default=TABLES)
    parser.add_argument("--half", choices=("tune", "test", "both"), default="test")
    parser.add_argument("--laws", type=Path, help="JSON lines of statutes, gzipped: by number")
    parser.add_argument("--squad", type=Path, help="questions in SQuAD's JSON: for a figure")
    parser.add_argument("--config", type=Path, default=Path("config.yaml"))
    parser.add_argument("--cache", type=Path, default=Path("indexes/ablation"))
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
