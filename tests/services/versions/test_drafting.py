"""Drafts of versions."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from registry.domain.reference import Tag as TagName
from registry.services.versions import drafting
from tests.patience import PATIENCE


@pytest.mark.django_db
def test_no_draft_waits_for_the_lints_of_another(
    monkeypatch: pytest.MonkeyPatch, acme: object
) -> None:
    """The thread that holds the write lock computes lints too."""
    draft = drafting.create_draft('{"kind": "llvm"}', TagName.parse("acme/board"), [])
    both = threading.Barrier(2, timeout=PATIENCE)
    lint = "lint_version"
    monkeypatch.setattr(drafting, lint, lambda *_args, **_options: (both.wait(), ())[1])
    with ThreadPoolExecutor(2) as threads:
        drafts = [replace(draft), replace(draft)]
        assert list(threads.map(lambda other: other.own_lints, drafts)) == [(), ()]
