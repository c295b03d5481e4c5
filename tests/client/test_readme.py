"""client/README.md says what the client does."""

import dataclasses
import json
import re
from collections.abc import Iterator

import pytest

from tests.client.conftest import Ttag
from tests.databases import ROOT
from ttag.cli.main import build_parser, commands
from ttag.errors import ExitCode
from ttag.settings import Settings

PAGE = (ROOT / "client" / "README.md").read_text()
SOURCE = "\n".join(path.read_text() for path in (ROOT / "client" / "ttag").rglob("*.py"))


def section(title: str) -> str:
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def test_every_exit_code_is_listed() -> None:
    codes = re.findall(r"^\| (\d+) \|", section("Exit codes"), re.MULTILINE)
    assert list(map(int, codes)) == [code.value for code in ExitCode]


def test_every_setting_is_listed() -> None:
    listed = set(re.findall(r"^\| `(\w+)` \|", section("Settings"), re.MULTILINE))
    assert listed == {field.name for field in dataclasses.fields(Settings)} - {"file"}


def test_every_variable_is_listed() -> None:
    used = set(re.findall(r'"(TTAG_[A-Z_]+)"', SOURCE))
    assert used <= set(re.findall(r"`(TTAG_[A-Z_]+)`", PAGE))


@pytest.mark.parametrize("command", [command.name for command in commands() if command.summary])
def test_every_command_is_described(command: str) -> None:
    assert f"ttag {command}" in PAGE


def test_python_example_runs(registry: str, ttag: Ttag, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "\n".join(re.findall(r"```python\n(.*?)```", section("Python"), re.DOTALL))
    monkeypatch.setenv("TTAG_REGISTRY", registry)
    variables: dict[str, object] = {}
    exec(code.replace("http://127.0.0.1:8000", registry), variables)  # noqa: S102 - of the page
    assert variables["flags"] == ttag("resolve", "aws/c4.4xlarge@1", "--format", "clang").out
    assert str(variables["verdict"]).startswith("Verdict(valid=True")


@pytest.mark.parametrize(
    "command",
    [
        ("search", "jetson"),
        ("show", "nvidia/jetson-nano"),
        ("versions", "arm/soc"),
        ("diff", "nvidia/jetson-nano@1.0.0", "nvidia/jetson-nano"),
        ("explain", "arm/soc"),
    ],
    ids=lambda command: command[0],
)
def test_every_key_of_json_is_listed(ttag: Ttag, command: tuple[str, ...]) -> None:
    (row,) = re.findall(rf"^\| `{command[0]}` \|.*", section("Look"), re.MULTILINE)
    result = json.loads(ttag(*command, "--json").out)
    assert set(json_keys(result)) <= set(re.findall(r"`(\w+)`", row))


def json_keys(value: object) -> Iterator[str]:
    """Yield the keys of a result, but for those that another row lists."""
    match value:
        case list():
            for each in value:
                yield from json_keys(each)
        case dict():
            for key, inner in value.items():
                yield key
                if key not in ("resolution", "versions", "newest", "old", "new", "value"):
                    yield from json_keys(inner)


SYNOPSES = dict(
    re.findall(r"^    ttag ((?:records )?[a-z-]+) (.*(?:\n {9,}.*)*)", PAGE, re.MULTILINE)
)
OF_ALL = {"--help", "--json", "--quiet"}


@pytest.mark.parametrize("command", sorted(SYNOPSES))
def test_synopsis_has_the_options_of_the_command(command: str) -> None:
    parser = build_parser(commands())
    for name in command.split():
        parser = parser.commands[name]
    stated = re.findall(r"(?<![\w-])--?[a-z][\w-]*", SYNOPSES[command])
    known = {option: parser.action_of(option) for option in parser.options}
    assert set(stated) <= set(known)
    missing = {option for option, action in known.items() if action not in map(known.get, stated)}
    assert {option for option in missing if option.startswith("--")} <= OF_ALL
