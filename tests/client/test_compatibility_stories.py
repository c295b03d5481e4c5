"""The stories of docs/compatibility.md are what the command prints."""

import re
import shlex

import pytest

from tests.client.conftest import Ttag
from tests.databases import ROOT

PAGE = (ROOT / "docs" / "compatibility.md").read_text()
BLOCKS = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = [
    command.partition("\n")
    for block in BLOCKS
    for command in re.split(r"^\$ ttag ", block, flags=re.MULTILINE)[1:]
]


@pytest.mark.parametrize(("command", "output"), [(each[0], each[2]) for each in COMMANDS])
def test_commands_print_what_the_page_says(ttag: Ttag, command: str, output: str) -> None:
    assert ttag(*shlex.split(command)).out == output


def test_there_are_three_stories() -> None:
    assert len(BLOCKS) == 3
    assert len(COMMANDS) >= 6
