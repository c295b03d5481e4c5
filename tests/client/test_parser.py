"""Errors of the command line: one line, with the nearest name."""

import pytest

from tests.client.conftest import Ttag
from ttag.cli.command import Command
from ttag.cli.main import build_parser, commands


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["reslove", "arm/soc"], "ttag has no command reslove. Did you mean resolve?"),
        (["resolve", "--fromat", "clang", "arm/soc"], "ttag resolve has no option --fromat."),
        (["resolve", "--fromat=clang", "arm/soc"], "Did you mean --format?"),
        (["resolve", "--for", "clang", "arm/soc"], "ttag resolve has no option --for."),
        (["publish", "a/b", "-", "--format", "tvmstring"], "Did you mean tvm-string?"),
        (
            ["resolve", "arm/soc", "--format", "clang", "--format", "cmake"],
            "--format is clang and also cmake: state one.",
        ),
        (["resolve", "arm/soc", "-o", "a", "--output=b"], "--output is a and also b: state one."),
        (["search", "x", "--limit", "2", "--limit", "3"], "--limit is 2 and also 3: state one."),
        (["completion", "bsh"], "ttag completion has no shell bsh. Did you mean bash?"),
        (
            ["resolve"],
            "the following arguments are required: REF. `ttag resolve --help` says more.",
        ),
        ([], "the following arguments are required: COMMAND. `ttag --help` says more."),
    ],
)
def test_wrong_word_is_one_line_with_the_nearest(
    ttag: Ttag, arguments: list[str], sentence: str
) -> None:
    run = ttag(*arguments)
    assert (run.code, run.out) == (2, "")
    assert sentence in run.err
    assert run.err.count("\n") == 1


@pytest.mark.parametrize(
    "options",
    [
        ["--format", "target", "--format=target"],
        ["--json", "--json"],
        ["--quiet", "-q"],
    ],
)
def test_option_that_is_stated_twice_alike_is_taken(ttag: Ttag, options: list[str]) -> None:
    assert ttag("resolve", "arm/soc", *options).code == 0


def test_option_that_takes_several_values_is_stated_several_times(ttag: Ttag) -> None:
    run = ttag("lock", "arm/soc", "--format", "tvm", "--format", "tuning")
    assert "as tuning, tvm" in run.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["resolve", "arm/soc", "--json", "-o", "file"], "--json is for standard output"),
        (["check", "--offline", "--outdated"], "--outdated asks the registry"),
        (["identify", "file", "--run", "true"], "--run and FILE are two texts"),
        (["mirror", "folder", "--full", "--follow"], "--full reads everything once"),
        (["mirror", "folder", "--serve", "127.0.0.1:1"], "--serve needs --follow"),
        (["inspect", "file", "--ships", "ptx"], "--ships is about whether it runs"),
        (["inspect", "file", "--toolkit", "12.8"], "--toolkit is about whether it runs"),
        (["inspect", "file", "--driver", "570"], "--driver is about whether it runs"),
        (["inspect", "file", "--strict"], "--strict is about whether it runs"),
        (["inspect", "file", "--compiler", "clang"], "--compiler is about whether it runs"),
    ],
)
def test_option_that_would_do_nothing_is_refused(
    ttag: Ttag, arguments: list[str], sentence: str
) -> None:
    run = ttag(*arguments)
    assert (run.code, run.out) == (2, "")
    assert sentence in run.err


@pytest.mark.parametrize("command", commands(), ids=lambda command: command.name)
def test_help_keeps_the_capitals_of_a_summary(command: Command) -> None:
    description = build_parser(commands()).commands[command.name].description or ""
    assert description[1:] == (f"{command.summary[1:]}." if command.summary else "")
    assert description[:1] == command.summary[:1].upper()
