"""Every command and every program of the README runs, on the sample corpus."""

from __future__ import annotations

import re
import shlex

import pytest
import yaml

from engine.cli import main
from engine.config import make_config
from tests.conftest import PROJECT

README = (PROJECT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


LINES = [line.split("#")[0].strip() for block in blocks("sh") for line in block.splitlines()]
COMMANDS = [line for line in LINES if line.startswith("python -m engine")]


def test_every_line_is_a_command_of_ours():
    targets = re.findall(
        r"^(\w+):", (PROJECT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
    )
    makes = [line.split()[1] for line in LINES if line.startswith("make ")]
    assert set(makes) == {"demo", "test"} <= set(targets)
    assert len(COMMANDS) + len(makes) == len(LINES)
    assert set(re.findall(r"`make (\w+)`", README)) <= set(targets)


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_run(command, demo_folder, monkeypatch, capsys):
    monkeypatch.chdir(demo_folder)
    assert main(shlex.split(command)[3:]) == 0
    out = capsys.readouterr().out
    assert out.strip()
    if "거중기" in command:
        assert "거중기" in out
    if "S4-P1" in command:
        assert "3쪽" in out


def test_commands_with_a_language_model_run(demo_folder, scripted, monkeypatch, capsys):
    monkeypatch.chdir(demo_folder)
    replies = {"answer": {"answerable": False, "sentences": []}, "summarize": {"items": []}}
    lines = blocks("console")[0].splitlines()
    commands = [line for line in lines if line.startswith("python -m engine")]
    assert len(commands) == len(lines) - 1
    for command in commands:
        words, _, target = command.partition(" > ")
        arguments = shlex.split(words)[3:]
        capsys.readouterr()
        scripted.script.clear()
        scripted.say(replies.get(arguments[0], {}))
        assert main(arguments) == 0
        if target:
            (demo_folder / target).write_text(capsys.readouterr().out, encoding="utf-8")


@pytest.mark.parametrize("program", blocks("python"))
def test_programs_run(program, demo_folder, monkeypatch, capsys):
    monkeypatch.chdir(demo_folder)
    exec(compile(program, "README.md", "exec"), {})
    assert "data/sample/heritage/guide.json" in capsys.readouterr().out


@pytest.mark.parametrize("settings", blocks("yaml"))
def test_settings_are_allowed(settings, tmp_path):
    make_config(yaml.safe_load(settings), root=tmp_path)


def test_linked_files_exist():
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (PROJECT / target).is_file(), target


def test_ci_runs_what_the_readme_names():
    assert (PROJECT / ".ci/run").read_text().rstrip().endswith("make lint test")
