"""The redact command, and texts that cannot be redacted."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from registry.domain.errors import Code, Refused
from registry.models import User
from registry.services.core import redaction_marks
from tests.databases import new_registry
from tests.publishing import publish, yank
from tests.services.operations.redacted_text import BOARD, SECRET, redact, stored

pytestmark = pytest.mark.usefixtures("acme")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("acme", "registry_namespace"),
        ("/board", "registry_tag"),
        ("alice", "registry_user"),
        ("llvm", "registry_kind"),
        ("board@1.0", "registry_event"),
        ("link@1", "registry_dependency"),
        ("left-bank", "target, as a key or a rule"),
        ("mtriple", "source, as a key or a rule"),
    ],
)
def test_names_labels_and_rules_are_not_redacted(alice: User, text: str, place: str) -> None:
    publish("acme/board", BOARD)
    publish("acme/link", BOARD)
    publish("acme/pair", {"kind": "composite", "devices": {"left-bank": {"tag": "acme/link@1"}}})
    before = stored()
    with pytest.raises(Refused) as refused:
        redact(text, alice)
    assert refused.value.code == Code.CONFLICT
    assert "publish under another name" in refused.value.detail
    assert place in refused.value.detail or "and " in refused.value.detail
    assert stored() == before


@pytest.mark.parametrize(
    ("text", "reason", "sentence"),
    [
        ("a", "because", "1 characters: expected at least 4"),
        ("   a   ", "because", "1 characters: expected at least 4"),
        ("redacted", "because", r"part of \[redacted\]"),
        (SECRET, "", "visible text is required"),
        (SECRET, "x" * 401, "401 characters are too many"),
        (SECRET, f"it said {SECRET}", "The reason contains the text"),
        ("nowhere to be found", "because", "The text was not found"),
    ],
)
def test_invalid_redaction_is_rejected(alice: User, text: str, reason: str, sentence: str) -> None:
    publish("acme/board", BOARD, message=SECRET)
    with pytest.raises(Refused, match=sentence):
        redact(text, alice, reason)
    assert not redaction_marks.redaction_details()


def run(text: str, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> str:
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{text}\n"))
    call_command("redact", "--reason", "a password", *arguments, stdout=out)
    return out.getvalue()


def test_command_lists_and_changes_nothing(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    publish("acme/board", BOARD, message=f"{SECRET} {SECRET}")
    yank("acme/board@1.0.0", reason=SECRET)
    before = stored()
    out = run(SECRET, monkeypatch)
    lines = [
        r"registry_version \d+ \(acme/board@1\.0\.0\): message, 2 times",
        r"registry_withdrawal \d+ \(yank \d+: \[redacted\]\): reason",
        r"registry_event \d+ \(\d+ version\.yanked acme/board@1\.0\.0\): detail",
        r"3 columns contain the text\. Nothing was changed; --apply redacts them\.",
    ]
    assert re.fullmatch("\n".join(lines) + "\n", out), out
    assert stored() == before


@pytest.mark.parametrize(
    ("text", "arguments", "sentence"),
    [
        (SECRET, ["--apply"], "--apply requires --actor"),
        (SECRET, ["--apply", "--actor", "nobody"], "There is no account nobody"),
        ("abc", [], "expected at least 4"),
    ],
)
def test_command_rejects_missing_arguments(
    text: str, arguments: list[str], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(CommandError, match=sentence):
        run(text, monkeypatch, *arguments)


def test_database_files_do_not_keep_the_text(tmp_path: Path) -> None:
    """Redact in a process, and search SQLite's file and write-ahead log for the text."""
    with new_registry(tmp_path) as environment:
        populate = [sys.executable, "-m", "tests.services.operations.populate"]
        subprocess.run(populate, env=environment, check=True, stdout=subprocess.DEVNULL)
        command = [sys.executable, "manage.py", "redact", "--reason", "why", "--actor", "alice"]
        result = subprocess.run(
            [*command, "--apply"],
            env=environment,
            input="sold out\n",
            text=True,
            stdout=-1,
            check=True,
        )
        assert "Redacted 2 columns: event" in result.stdout
        assert "Backups, caches, sessions, mail that waits and other logs" in result.stdout
        if connection.vendor == "postgresql":
            assert "VACUUM FULL" in result.stdout
            return
        files = [path for path in tmp_path.iterdir() if "sqlite3" in path.name]
        assert files
        for path in files:
            assert b"sold out" not in path.read_bytes(), path.name


@pytest.mark.parametrize(
    ("text", "reason", "is_erased"),
    [(SECRET, "because", True), ("acme", "because", False), ("abc", "because", False)],
)
def test_files_are_cleaned_after_a_run_that_was_killed_before_it_did_so(
    text: str, reason: str, is_erased: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    erased: list[bool] = []
    monkeypatch.setattr(
        "registry.services.operations.redaction.erase_traces", lambda: erased.append(True)
    )
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    with pytest.raises(CommandError):
        call_command("redact", reason=reason, actor="alice", apply=True)
    assert bool(erased) is is_erased


def test_text_is_read_from_standard_input() -> None:
    """Command lines are visible to other users, and kept in the shell's history."""
    command = [sys.executable, "manage.py", "redact", "--help"]
    output = subprocess.check_output(command, text=True, env=os.environ)
    assert re.findall(r"^  (-\S+)", output, re.MULTILINE)[:4] == [
        "-h,",
        "--reason",
        "--actor",
        "--apply",
    ]
