"""`manage.py impact` and `manage.py rebase`, as an operator runs them."""

import io
import json
from pathlib import Path
from unittest.mock import patch

import pytest
from django.core.management import CommandError, call_command

from registry.models import Namespace, Version
from tests.publishing import counts, publish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BASE = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "haswell", "num-cores": 4}


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def board(acme: Namespace) -> None:
    """Publish a board that inherits from a base."""
    publish("acme/base", BASE)
    publish("acme/board", {"tag": "acme/base", "model": "board"})


@pytest.mark.usefixtures("board")
def test_impact_shows_a_line_for_each_dependent(tmp_path: Path) -> None:
    body = tmp_path / "body.json"
    body.write_text(json.dumps(BASE | {"num-cores": 8}))
    before = counts()
    lines = run("impact", "acme/base", str(body), "--diff").splitlines()
    assert lines == [
        "Next version of acme/base: 2.0.0.",
        "MAJOR    acme/board@1.0.0 -> 2.0.0",
        "         /num-cores: 4 -> 8",
        "Dependents: 1 MAJOR.",
    ]
    assert counts() == before


def test_impact_reads_standard_input_and_names_invalid_dependents() -> None:
    publish("acme/base", BASE | {"mattr": ["+avx"]})
    publish("acme/edited", {"tag": "acme/base", "mattr": {"$append": ["+avx2"]}})
    with patch("sys.stdin", io.StringIO('{"kind": "cuda", "arch": "sm_80"}')):
        lines = run("impact", "acme/base", "-").splitlines()
    assert lines[1].startswith("REFUSED  acme/edited@1.0.0: Not accepted at /mattr")
    assert lines[-1] == "Dependents: 1 REFUSED."


@pytest.mark.usefixtures("board")
def test_impact_explains_an_unreadable_body(tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"kind": "lvm"}')
    with pytest.raises(CommandError, match="lvm"):
        run("impact", "acme/base", str(bad))
    with pytest.raises(CommandError, match="cannot be read"):
        run("impact", "acme/base", str(tmp_path / "nothing.json"))


@pytest.mark.usefixtures("board")
def test_plan_with_an_actor_writes_nothing() -> None:
    publish("acme/base", BASE | {"num-cores": 8})
    before = counts()
    assert "acme/board" in run("rebase", "acme/base", "--plan", "--actor", "alice")
    assert counts() == before


@pytest.mark.usefixtures("board")
def test_rebase_plans_then_publishes() -> None:
    publish("acme/base", BASE | {"num-cores": 8})
    before = counts()
    assert run("rebase", "acme/base", "--plan") == "MAJOR    acme/board@1.0.0 -> 2.0.0\n"
    assert counts() == before
    output = run("rebase", "acme/base", "--actor", "alice")
    assert output.splitlines()[-1] == "Published 1 of 1."
    assert Version.objects.get(tag__text="acme/board", major=2).publisher.username == "alice"
    assert "Everything is up to date." in run("rebase", "acme/base", "--plan")


def test_rebase_skips_invalid_dependents_with_a_reason() -> None:
    publish("acme/base", BASE | {"mattr": ["+avx"]})
    publish("acme/edited", {"tag": "acme/base", "mattr": {"$append": ["+avx2"]}})
    publish("acme/base", {"kind": "cuda", "arch": "sm_80"})
    lines = run("rebase", "acme/base", "--actor", "alice").splitlines()
    assert lines[0].startswith("REFUSED  acme/edited@1.0.0: ")
    assert lines[-2].startswith("Skipped acme/edited: Not accepted at /mattr")
    assert lines[-1] == "Published 0 of 1."


@pytest.mark.usefixtures("board")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["acme/base"], "--actor"),
        (["acme/nothing", "--plan"], "acme/nothing"),
        (["Acme", "--plan"], "Acme"),
        (["acme/base", "--actor", "nobody"], "nobody"),
        (["acme/base", "--only", "acme/nothing", "--plan"], "acme/nothing"),
    ],
)
def test_rebase_rejects_invalid_arguments(arguments: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        run("rebase", *arguments)
