"""Rebuilding the search index."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection

from registry.models import (
    Attribute,
    Entry,
    GroupTotal,
    Namespace,
    Posting,
    Tag,
    Term,
    TermGram,
    Total,
    ValueTotal,
)
from registry.services.operations import rebuild, verify
from tests.databases import FILE, new_registry
from tests.publishing import publish

pytestmark = pytest.mark.django_db


def findings() -> list[str]:
    return [str(finding) for finding in verify.verify()]


def test_reindex_repairs_the_search_index(
    acme: Namespace, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    publish("acme/board", {"kind": "llvm", "mcpu": "haswell"})
    Posting.objects.filter(tag__text="acme/board").delete()
    Posting.objects.filter(tag__text="arm/soc").update(weight=1)
    Term.objects.filter(text="soc").delete()
    TermGram.objects.all().delete()
    Attribute.objects.filter(tag__text="acme/board").update(text="other")
    Entry.objects.filter(text="acme/board").delete()
    Total.objects.update(number=1)
    ValueTotal.objects.filter(option="llvm/mcpu").delete()
    GroupTotal.objects.filter(fact="").delete()
    assert findings()
    monkeypatch.setattr(rebuild, "release_rebuilt", lambda: None)  # refused in a transaction
    call_command("reindex")
    assert findings() == []
    count = Tag.objects.count()
    assert capsys.readouterr().out == f"Rebuilt the search index of {count} tags.\n"


def test_reindex_gives_space_back(tmp_path: Path) -> None:
    """In a process, since the file cannot be written again within a transaction."""
    with new_registry(tmp_path, loaded=True) as environment:
        command = [sys.executable, "manage.py", "reindex"]
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    if connection.vendor == "sqlite":
        file = sqlite3.connect(tmp_path / FILE)
        assert file.execute("PRAGMA freelist_count").fetchone() == (0,)
        file.close()
        assert not list(tmp_path.glob("*-wal"))
