"""The command line: a thin client of `Engine`. Data on stdout, everything else on stderr."""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from engine.config import Config, load_config
from engine.errors import EngineError, file_problem
from engine.types import BuildReport, Evidence

if TYPE_CHECKING:
    from engine.answer.events import Event


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status: 0, 1 for a user's mistake, 2 for bad usage."""
    options = _parser().parse_args(arguments)
    try:
        _check_text(options)
        _write_utf8(options)
        status: int = options.run(options, load_config(options.config))
        return status
    except EngineError as error:
        print(f"geungeo: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("geungeo: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of the output has gone, as `head` does: nothing is left to say or to flush.
        sys.stdout = open("/dev/null" if sys.platform != "win32" else "nul", "w")  # noqa: SIM115
        return 0
    except UnicodeEncodeError as error:
        found = error.object[error.start : error.end]
        print(
            f"geungeo: the output's encoding, {error.encoding}, has no {found!r}; "
            "set PYTHONIOENCODING=utf-8",
            file=sys.stderr,
        )
        return 1
    except OSError as error:
        print(f"geungeo: {file_problem(error)}", file=sys.stderr)
        return 1


def _write_utf8(options: argparse.Namespace) -> None:
    """JSON and HTML are UTF-8 wherever they go, as both say; on a terminal they are shown."""
    a_file = vars(options).get("json") or vars(options).get("format") in {"json", "html"}
    if a_file and isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.isatty():
        sys.stdout.reconfigure(encoding="utf-8")


def _check_text(options: argparse.Namespace) -> None:
    """Refuse arguments whose bytes are no text, which no encoder and no page could hold."""
    for name, value in vars(options).items():
        if isinstance(value, str) and any("\ud800" <= sign <= "\udfff" for sign in value):
            raise EngineError(
                f"{name}: {value!r} is not UTF-8; write it in a terminal that is set to UTF-8"
            )


def _build(options: argparse.Namespace, config: Config) -> int:
    from engine.build import build_index
    from engine.tools.progress import shown

    with shown() as progress:
        report = build_index(config, force=options.force, progress=progress)
    if options.json:
        _print_json(asdict(report))
    else:
        print(_summary(report))
    return 0


def _query(options: argparse.Namespace, config: Config) -> int:
    from engine.engine import Engine

    engine = Engine.open(config)
    asked = {"mode": options.mode, "scope": options.scope, "document": options.document}
    evidence = engine.retrieve(options.question, options.k, **asked)
    if options.json:
        _print_json([asdict(one) for one in evidence])
    elif evidence:
        print("\n\n".join(_shown(one, options.explain) for one in evidence))
    if not evidence:
        from engine.retrieve.abstention import Silence
        from engine.retrieve.explain import refused

        silence = engine.silence(options.question, options.k, **asked) or Silence()
        out = sys.stderr if options.json else sys.stdout
        print(silence.written(), file=out)
        if options.explain:
            print(f"\n    {refused(silence, config)}", file=out)
    return 0


def _answer(options: argparse.Namespace, config: Config) -> int:
    from engine.answer.rendering import render
    from engine.engine import Engine

    engine = Engine.open(_generating(options, config))
    answers = [
        engine.answer(
            question, options.k, mode=options.mode, generate=options.generate, on_event=_told
        )
        for question in options.question
    ]
    sys.stdout.write(render(answers, options.format, show_pruned=options.show_pruned))
    return 0


def _summarize(options: argparse.Namespace, config: Config) -> int:
    from engine.engine import Engine

    summary = Engine.open(_generating(options, config)).summarize(
        options.source, options.question, mode=options.mode, generate=options.generate,
        on_event=_told,
    )  # fmt: skip
    shown = {"show_omitted": options.show_omitted, "show_pruned": options.show_pruned}
    sys.stdout.write(summary.render(options.format, **shown))
    return 0


def _generating(options: argparse.Namespace, config: Config) -> Config:
    """The configuration with what the command line says of generation."""
    generation = config.generation.model_copy(
        update={"interactive": config.generation.interactive or options.ask_key}
    )
    validation = config.validation.model_copy(
        update={"policy": options.policy or config.validation.policy}
    )
    return config.model_copy(update={"generation": generation, "validation": validation})


def _told(event: Event) -> None:
    if event.stage in ("drafting", "checking"):
        print(f"{event.stage} (draft {event.attempt})", file=sys.stderr)


def _verify(options: argparse.Namespace, config: Config) -> int:
    from engine.engine import Engine
    from engine.tools.verify import load_answer, verify, written

    engine = Engine.open(config)
    found = verify(load_answer(options.answer), engine.store, engine.validate)
    if options.json:
        _print_json(asdict(found))
    else:
        print(written(found))
    return 0 if found.holds else 1


def _trace(options: argparse.Namespace, config: Config) -> int:
    from engine.engine import Engine
    from engine.tools.trace import picture, trace, written

    engine = Engine.open(config)
    found = trace(engine.store, options.id)
    if options.image:
        options.image.write_bytes(picture(found, engine.original(found.document.source)))
    if options.json:
        _print_json(asdict(found))
    else:
        print(written(found))
    return 0


def _inspect(options: argparse.Namespace, config: Config) -> int:
    from engine.build import open_korean
    from engine.tools.inspect import inspect, json_lines, written

    found = inspect(options.file, open_korean(config))
    if options.blocks:
        sys.stdout.writelines(f"{line}\n" for line in json_lines(found))
    else:
        print(written(found))
    return 0


def _doctor(options: argparse.Namespace, config: Config) -> int:
    from engine.tools.doctor import examine

    checks = examine(config)
    if options.json:
        _print_json([asdict(check) for check in checks])
    else:
        for check in checks:
            print(f"{'ok  ' if check.ok else 'FAIL'}  {check.name}: {check.detail}")
    return 0 if all(check.ok for check in checks) else 1


def _summary(report: BuildReport) -> str:
    """What a build did, for people."""
    state = "unchanged, everything reused" if report.unchanged else "built"
    lines = [
        f"index      {report.index} ({state})",
        f"documents  {report.documents}: {report.read} read, {report.reused} reused, "
        f"{report.removed} removed, {len(report.skipped)} skipped",
        "encodings  " + (", ".join(f"{n} {e}" for e, n in report.encodings.items()) or "none"),
        f"blocks     {report.blocks}",
        f"parents    {report.parents}",
        f"children   {report.children}, {report.embedded} embedded",
    ]
    if report.seconds:
        stages = ", ".join(f"{name} {seconds:.1f}" for name, seconds in report.seconds.items())
        lines.append(f"seconds    {stages}")
    lines += [f"skipped    {name}: {reason}" for name, reason in report.skipped.items()]
    lines += [f"no reader  {name}: {reason}" for name, reason in report.unsupported.items()]
    lines += [f"warning    {warning}" for warning in report.warnings]
    return "\n".join(lines)


def _shown(one: Evidence, explain: bool) -> str:
    from engine.messages import pages
    from engine.retrieve.explain import written

    where = " · ".join(
        part
        for part in (one.title, pages(one.pages), " > ".join(one.section_path), one.child_id)
        if part
    )
    text = one.text + (f"\n\n{written(one.why)}" if explain else "")
    indented = text.replace("\n", "\n    ")
    return f"{one.evidence_id}  {one.score:.3f}  {where}\n    {indented}"


def _print_json(value: object) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="geungeo", description="Korean documents as data that can be cited."
    )
    parser.add_argument("--config", type=Path, default=Path("config.yaml"))
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    def command(name: str, run: object, text: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=text, description=text)
        made.set_defaults(run=run)
        made.add_argument("--config", type=Path, default=argparse.SUPPRESS)
        return made

    def generating(made: argparse.ArgumentParser) -> None:
        made.add_argument("--generate", action="store_true", help="write with a language model")
        made.add_argument("--policy", choices=("prune", "strict"), help="what a failed check does")
        made.add_argument("--ask-key", action="store_true", help="ask for model and key, hidden")
        made.add_argument("--show-pruned", action="store_true", help="list what failed a check")

    modes = ("hybrid", "bm25", "dense")
    forms = ("text", "markdown", "html", "json")

    build = command("build", _build, "bring the index up to date with the corpus")
    build.add_argument("--force", action="store_true", help="reuse nothing")
    build.add_argument("--json", action="store_true", help="the report as JSON")

    query = command("query", _query, "show the evidence for a question")
    query.add_argument("question")
    query.add_argument("-k", type=int, help="how much evidence")
    query.add_argument("--mode", choices=modes)
    query.add_argument("--scope", choices=("global", "section"), default="global")
    query.add_argument("--document", metavar="ID", help="only in this document")
    query.add_argument("--explain", action="store_true", help="show how each was found")
    query.add_argument("--json", action="store_true")

    answer = command("answer", _answer, "answer questions, each sentence with its source")
    answer.add_argument("question", nargs="+")
    answer.add_argument("-k", type=int, help="how much evidence")
    answer.add_argument("--mode", choices=modes)
    answer.add_argument("--format", choices=forms, default="text")
    generating(answer)

    summarize = command("summarize", _summarize, "one paragraph a section of one document")
    summarize.add_argument("source", help="a document's id, or the path of its file")
    summarize.add_argument("question")
    summarize.add_argument("--mode", choices=modes)
    summarize.add_argument("--format", choices=forms, default="text")
    summarize.add_argument("--show-omitted", action="store_true", help="list what was left out")
    generating(summarize)

    trace = command("trace", _trace, "from any id to its source, pages, section and neighbours")
    trace.add_argument("id", help="as shown by query: a document, section, block or child")
    trace.add_argument("--image", type=Path, metavar="PNG", help="draw it on its page of a PDF")
    trace.add_argument("--json", action="store_true")

    verify = command("verify", _verify, "check a saved answer against today's index")
    verify.add_argument("answer", type=Path, help="what answer --format json wrote")
    verify.add_argument("--json", action="store_true")

    inspect = command("inspect", _inspect, "show what is read of a file, without building")
    inspect.add_argument("file", type=Path)
    inspect.add_argument("--blocks", action="store_true", help="its blocks as JSON Lines")

    doctor = command("doctor", _doctor, "prove that the index is whole and fits the configuration")
    doctor.add_argument("--json", action="store_true")
    return parser
