"""The command line of the harness: data on stdout, progress on stderr, exit 1 when a gate fails."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from engine.errors import ConfigError, EngineError, file_problem
from engine.text.kiwi import has_hangul
from eval.dataset import Dataset, load_dataset
from eval.results import Results, load_results


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns 0, or 1 for a mistake, a failed gate or a broken invariant."""
    missing = [name for name in ("ir_measures", "matplotlib") if find_spec(name) is None]
    if missing:
        print(f"eval: needs {' and '.join(missing)}; install the extra: pip install '.[eval]'",
              file=sys.stderr)  # fmt: skip
        return 1
    options = _parser().parse_args(arguments)
    try:
        status: int = options.run(options)
        return status
    except EngineError as error:
        print(f"eval: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"eval: {file_problem(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("eval: stopped", file=sys.stderr)
        return 130


def _run(options: argparse.Namespace) -> int:
    from eval.answers import load_answers
    from eval.engines import IndexCatalog
    from eval.experiment import Asked, Settings, ask, evaluate
    from eval.gates import parse_gates
    from eval.indexes import facts
    from eval.measures import parse_measures
    from eval.runs import read_run

    dataset = load_dataset(options.dataset, options.split, options.limit)
    files = [_named(text) for text in options.run_files]
    names = [*options.systems, *options.chunkings, *(name for name, _ in files)]
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise ConfigError(f"{twice[0]!r} names two rows of one table; expected a name for each")
    found_runs = {name: read_run(path) for name, path in files}
    measures = parse_measures(options.measures)
    gates = tuple(parse_gates(options.gate, names, measures))
    settings = Settings(measures, options.seed, options.latency_sample, gates)
    answers = load_answers(options.answers) if options.answers else None
    out = options.out or Path("reports") / dataset.name
    out.mkdir(parents=True, exist_ok=True)
    with _shown() as tell:
        engine = _engine(options, dataset, tell)
        systems, chunked = _systems(options, engine)
        asked = [ask(system, dataset, settings, tell) for system in systems]
    asked += [Asked(name, run) for name, run in found_runs.items()]
    results = evaluate(dataset, asked, settings, IndexCatalog(engine), answers)
    update: dict[str, Any] = {
        "created": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "index": facts(engine, dataset.name),
        "versions": _versions(),
    }
    if chunked:
        from eval.chunkings import cost

        found = {one.name: one.rankings for one in asked}
        update["chunkings"] = [cost(one, found[one.name], dataset) for one in chunked]
    results = results.model_copy(update=update)
    runs = {one.name: one.run for one in asked}
    return _finish(results, runs, dataset, out, options.public_safe)


def _citations(options: argparse.Namespace) -> int:
    """ALCE's citation recall and precision of saved answers."""
    from engine.answer.structured import make_ask
    from engine.answer.validation.oracle import load_entailer
    from engine.config import load_config
    from engine.text.kiwi import Korean
    from engine.tools.verify import draft_of, load_answer
    from eval.citing import score_citations, supports_by_oracle

    config = load_config(options.config or Path("config.yaml"))
    answers = [load_answer(path) for path in options.answers]
    settings = config.validation
    ask = make_ask(config) if settings.entailment_backend == "llm" else None
    supports = supports_by_oracle(Korean(), settings, load_entailer(settings, ask))
    found = score_citations(((draft_of(one), one.evidence) for one in answers), supports)
    judge = settings.entailment_backend
    print(f"answers             {len(answers)}")
    print(
        f"sentences           {found.sentences}, {found.supported} supported (entailment: {judge})"
    )
    print(f"citations           {found.citations}, {found.needed} needed")
    print(f"citation recall     {found.recall:.3f}")
    print(f"citation precision  {found.precision:.3f}")
    return 0


def _finish(
    results: Results, runs: dict[str, Any], dataset: Dataset, out: Path, public: bool
) -> int:
    from eval.public_safe import keyed_hash, redact
    from eval.report import headline, pipes, table, write_report

    qrels = dataset.qrels
    if public:
        results, runs, qrels = redact(results, runs, qrels, keyed_hash())
    write_report(results, runs, qrels, out)
    print(pipes(table(results)))
    print(f"\n{headline(results)}")
    print(f"report: {out / 'report.html'}", file=sys.stderr)
    if results.unknown_targets:
        shown = ", ".join(results.unknown_targets[:5])
        count = len(results.unknown_targets)
        print(f"eval: {count} targets are not in the index, counted as missed: {shown}",
              file=sys.stderr)  # fmt: skip
    return _verdict(results)


def _verdict(results: Results) -> int:
    for check in results.broken:
        print(f"eval: invariant broken: {check.name}: {check.problem}", file=sys.stderr)
    failed = [gate for gate in results.gates if not gate.holds]
    for gate in failed:
        print(f"eval: gate failed: {gate.condition}: {gate.left:.4f} against {gate.right:.4f}",
              file=sys.stderr)  # fmt: skip
    return 1 if failed or results.broken else 0


def _compare(options: argparse.Namespace) -> int:
    from eval.compare import compare_runs, named_runs, run_names
    from eval.experiment import Settings
    from eval.gates import parse_gates
    from eval.measures import parse_measures
    from eval.report import markdown

    measures = parse_measures(options.measures)
    gates = parse_gates(options.gate, run_names(options.runs), measures)
    settings = Settings(measures, options.seed, 0, tuple(gates))
    results = compare_runs(options.runs, options.qrels, settings)
    print(markdown(results), end="")
    if options.out:
        from eval.dataset import read_qrels
        from eval.report import write_report

        write_report(results, named_runs(options.runs), read_qrels(options.qrels), options.out)
    return _verdict(results)


def _diff(options: argparse.Namespace) -> int:
    from eval.compare import diff, diff_lines

    before, after = load_results(options.before), load_results(options.after)
    texts = {query.query_id: query.text for query in after.queries}
    print("\n".join(diff_lines(diff(before, after), after.main, texts)))
    return 0


def _tune(options: argparse.Namespace) -> int:
    from eval.engines import make_systems, parse_system
    from eval.indexes import variant
    from eval.measures import parse_measures
    from eval.tune import DEFAULT_GRID, Point, parse_grid, tune

    dataset = load_dataset(options.dataset, options.split, options.limit)
    grid = parse_grid(options.grid or DEFAULT_GRID)
    measure = parse_measures([options.measure])[0]
    parse_system(options.system)
    with _shown() as tell:
        engine = _engine(options, dataset, tell)
        (base,) = make_systems(engine, [options.system], options.cache)

        def make(point: Point) -> Any:
            from dataclasses import replace

            return replace(base, engine=variant(base.engine, point, options.cache))

        tuned = tune(dataset, make, grid, measure, options.seed, tell)
    print(json.dumps(tuned.as_dict(), ensure_ascii=False, indent=1))
    if options.out:
        _write_json(options.out, tuned.as_dict())
    return 0


def _calibrate(options: argparse.Namespace) -> int:
    from eval.calibrate import calibrate
    from eval.engines import read_signals
    from eval.experiment import shorten
    from eval.indexes import facts
    from eval.tune import halves

    dataset = load_dataset(options.dataset, options.split)
    with _shown() as tell:
        engine = _engine(options, dataset, tell)
    asked = [query for query in dataset.queries if has_hangul(query.text)]
    if foreign := len(dataset.queries) - len(asked):
        print(f"eval: {foreign} questions without Hangul are left out: the encoder's own limit "
              "for other languages holds for them", file=sys.stderr)  # fmt: skip
    dataset = shorten(dataset, {query.query_id for query in asked})
    first, second = halves(dataset, options.seed)
    tune, test = read_signals(engine, first), read_signals(engine, second)
    settings = engine.config.retrieval
    floor = settings.min_similarity
    floor = engine.encoder.min_similarity if floor is None else floor
    floor = -1.0 if floor is None else floor
    least = engine.config.rerank.min_score
    configured = (settings.min_share, floor, settings.min_coverage, least)
    found = calibrate(tune, test, configured, options.keep)
    chosen = ("min_share", "min_similarity", "min_coverage")
    content = {
        "retrieval": {name: getattr(found, name) for name in chosen},
        **({} if found.min_score is None else {"rerank": {"min_score": found.min_score}}),
        "measured": found.as_dict(),
        "from": {
            "queries": len(dataset.queries), "unanswerable": len(dataset.unanswerable),
            "sha256": dataset.digest, "seed": options.seed, **facts(engine, dataset.name),
        },
    }  # fmt: skip
    print(json.dumps(content, ensure_ascii=False, indent=1))
    if options.out:
        _write_json(options.out, content)
    return 0


def _systems(options: argparse.Namespace, engine: Any) -> tuple[list[Any], list[Any]]:
    from eval.chunkings import build_chunking, check_name
    from eval.engines import make_systems

    for name in options.chunkings:
        check_name(name)
    systems: list[Any] = list(make_systems(engine, options.systems, options.cache))
    chunked: list[Any] = []
    for done, name in enumerate(options.chunkings, 1):
        chunked.append(build_chunking(name, engine))
        print(f"chunking {name}: {done}/{len(options.chunkings)}", file=sys.stderr)
    return systems + chunked, chunked


def _engine(options: argparse.Namespace, dataset: Dataset, tell: Any) -> Any:
    from eval.indexes import open_index

    return open_index(
        dataset, index=options.index, config=options.config, cache=options.cache, tell=tell
    )


@contextmanager
def _shown() -> Iterator[Any]:
    """Progress on stderr: a line that is written over on a terminal, else one line a stage."""
    live = sys.stderr.isatty()

    def tell(stage: str, done: int, total: int) -> None:
        if total and (live or done == total) and stage != "done":
            end = "\n" if done == total else ""
            print(f"\r{stage}: {done}/{total}" if live else f"{stage}: {done}",
                  end=end if live else "\n", file=sys.stderr, flush=True)  # fmt: skip

    yield tell


def _named(text: str) -> tuple[str, Path]:
    name, sign, path = text.partition("=")
    if not sign or not name or not path:
        raise ConfigError(f"--run {text!r}: expected NAME=FILE")
    return name, Path(path)


def _whole(least: int) -> Callable[[str], int]:
    """A number of at least that many, for argparse."""

    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r}: expected a whole number from {least} on")
        return int(text)

    return number


def _versions() -> dict[str, str]:
    found = {"python": sys.version.split()[0]}
    for name in ("geungeo", "ir_measures", "pytrec_eval-terrier", "scipy"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _write_json(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(content, ensure_ascii=False, indent=1)
    path.write_text(text + "\n", encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m eval", description="Which retrieval finds your targets, and how sure is it?"
    )
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_run(commands)
    _add_compare(commands)
    citations = commands.add_parser("citations", help="citation recall and precision of answers")
    citations.add_argument("answers", nargs="+", type=Path, help="what answer --format json wrote")
    citations.add_argument("--config", type=Path, help="whose checks and entailment count")
    citations.set_defaults(run=_citations)
    diff = commands.add_parser("diff", help="what changed between two reports, query by query")
    diff.add_argument("before", type=Path, help="folder of a report, or its results.json")
    diff.add_argument("after", type=Path)
    diff.set_defaults(run=_diff)
    tune = commands.add_parser("tune", help="choose settings on half of the questions")
    _add_dataset(tune)
    tune.add_argument("--limit", type=_whole(1), help="only the first questions")
    tune.add_argument("--system", default="hybrid")
    tune.add_argument("--grid", nargs="+", metavar="SECTION.FIELD=V,V")
    tune.add_argument("--measure", default="nDCG@10")
    tune.add_argument("--out", type=Path, help="JSON file")
    tune.set_defaults(run=_tune)
    calibrate = commands.add_parser("calibrate", help="choose when to say that there is no answer")
    _add_dataset(calibrate)
    calibrate.add_argument("--keep", type=float, default=0.97, help="answerable share to keep")
    calibrate.add_argument("--out", type=Path, help="JSON file")
    calibrate.set_defaults(run=_calibrate)
    return parser


def _add_run(commands: Any) -> None:
    from eval.measures import DEFAULT_MEASURES

    run = commands.add_parser("run", help="put the questions of a set to several systems")
    _add_dataset(run)
    run.add_argument("--systems", nargs="*", metavar="MODE[:section.field=value,…]")
    run.add_argument("--chunkings", nargs="+", default=[], metavar="NAME")
    run.add_argument("--run", action="append", default=[], dest="run_files", metavar="NAME=FILE",
                     help="a TREC run of another system, as one more row")  # fmt: skip
    run.add_argument("--measures", nargs="+", default=DEFAULT_MEASURES, metavar="R@10")
    run.add_argument("--gate", action="append", default=[], metavar="A>=B:nDCG@10")
    run.add_argument("--answers", type=Path, help="saved answers, JSON lines")
    run.add_argument("--limit", type=_whole(1), help="only the first questions")
    run.add_argument("--latency-sample", type=_whole(0), default=30, help="questions timed alone")
    run.add_argument("--public-safe", action="store_true", help="no text, no names, hashed ids")
    run.add_argument("--out", type=Path, help="folder of the report (reports/NAME)")
    run.set_defaults(run=_with_systems)


def _with_systems(options: argparse.Namespace) -> int:
    if options.systems is None:
        options.systems = [] if options.chunkings else ["bm25", "dense", "hybrid"]
    if not options.systems and not options.chunkings and not options.run_files:
        raise ConfigError("--systems: found none, expected at least one of bm25, dense, hybrid")
    return _run(options)


def _add_compare(commands: Any) -> None:
    from eval.measures import DEFAULT_MEASURES

    compare = commands.add_parser("compare", help="score TREC run files from anywhere")
    compare.add_argument("runs", nargs="+", type=Path, metavar="RUN.trec")
    compare.add_argument("--qrels", type=Path, required=True)
    compare.add_argument("--measures", nargs="+", default=DEFAULT_MEASURES, metavar="R@10")
    compare.add_argument("--gate", action="append", default=[], metavar="A>=B:nDCG@10")
    compare.add_argument("--seed", type=_whole(0), default=0)
    compare.add_argument("--out", type=Path, help="folder for a whole report")
    compare.set_defaults(run=_compare)


def _add_dataset(command: argparse.ArgumentParser) -> None:
    from eval.indexes import CACHE

    command.add_argument("--dataset", type=Path, required=True, metavar="DIR")
    command.add_argument("--split", default="test", help="which qrels/SPLIT.tsv")
    command.add_argument("--config", type=Path, help="settings (config.yaml where there is one)")
    command.add_argument("--index", type=Path, help="a built index, taken as it is")
    command.add_argument("--cache", type=Path, default=CACHE, help="where indexes of sets are kept")
    command.add_argument("--seed", type=_whole(0), default=0)


if __name__ == "__main__":
    sys.exit(main())
