"""The commands for mirrors in the documents produce what these show."""

import shlex
from pathlib import Path

import pytest

from tests.client.conftest import Ttag
from tests.docs import machine, markdown
from ttag.errors import ExitCode


@pytest.mark.parametrize(
    ("page", "titles"),
    [("docs/mirrors.md", ("Write one", "Read one")), ("client/README.md", ("Mirror",))],
)
def test_commands_work_as_shown(
    ttag: Ttag, tmp_path: Path, page: str, titles: tuple[str, ...]
) -> None:
    blocks = [block for title in titles for block in markdown.section(page, title).blocks]
    environment: dict[str, str] = {}
    out = ""
    for block in blocks:
        if block.language == "text":
            assert machine.output_matches(block.text, out)
        for line in block.text.splitlines() if block.language == "sh" else ():
            words = shlex.split(line.removeprefix("export ").replace("$PWD", str(tmp_path)))
            while words and "=" in words[0]:
                name, _, value = words.pop(0).partition("=")
                environment[name] = value
            if words:
                run = ttag(*words[1:], directory=tmp_path, **environment)
                assert run.code == ExitCode.OK, run.err
                out = run.out
    assert out.startswith("--target=")
