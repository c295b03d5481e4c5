"""After any writes, a mirror that applies events is byte for byte one that reads everything."""

import json
import shutil
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as project
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings, strategies as st

from registry.domain.errors import Refused
from registry.domain.event_log.leaves import MEMBERS, PRIVATE
from registry.services.accounts import tokens
from registry.services.core.permission_rules import Scope
from registry.services.kinds import kinds
from registry.services.namespaces import namespaces
from registry.services.operations import mirroring, redaction
from tests.profiles import examples, is_thorough
from tests.publishing import person, publish
from tests.stale_answers import test_random_writes as random_writes
from tests.stale_answers.test_random_writes import (
    ALIAS,
    BASE,
    BODIES,
    FAMILY,
    HEIR,
    OTHER,
    PINNED,
    point,
)
from ttag.files import write_file
from ttag.mirror.changes import (
    DEPRECATED,
    FAMILY as FAMILY_SET,
    MADE,
    POINTED,
    PUBLISHED,
    UNTOLD,
    WITHDRAWN,
    WITHOUT_EFFECT,
)
from ttag.mirror.writer import Summary

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme"), pytest.mark.any_database]
ADDRESS = "https://registry.example.org"
Write = Callable[[], object]


def write(root: Path, *, is_full: bool = False) -> Summary:
    forms = mirroring.writable_formats()
    chosen = [forms["clang"], forms["tvm"]]
    return mirroring.write_mirror(root, address=ADDRESS, forms=chosen, is_full=is_full)


def files(root: Path) -> dict[str, bytes]:
    """Return the files of a mirror by path, without the time at which it was written."""
    contents = {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file()
    }
    overview = json.loads(contents.pop("mirror.json")) | {"created": ""}
    sums = [line for line in contents.pop("SHA256SUMS").splitlines() if b"mirror.json" not in line]
    return contents | {"mirror.json": repr(overview).encode(), "SHA256SUMS": b"\n".join(sums)}


def full(root: Path) -> dict[str, bytes]:
    """Return the files of a mirror that was never anything else."""
    shutil.rmtree(root, ignore_errors=True)
    write(root)
    return files(root)


def revise_kind() -> None:
    source: dict[str, Any] = json.loads(json.dumps(kinds.find_kind("llvm").source))
    source["description"] = f"{source.get('description', '')} Revised."
    kinds.revise_kind("llvm", source, actor=random_writes.operator())


def make_namespace() -> None:
    namespaces.create_namespace("wide", actor=random_writes.operator())
    publish("acme/wide", {"kind": "llvm", "num-cores": 3})


def issue_token() -> None:
    tokens.issue_token(
        person("alice"),
        label="ci",
        scopes={Scope.PUBLISH},
        pattern="acme",
        actor=random_writes.operator(),
    )


NAMED = (
    random_writes.rename,
    random_writes.add_variant,
    random_writes.linting.rebuild_lints,
    revise_kind,
    make_namespace,
    issue_token,
)
WRITES: list[Write] = [*random_writes.WRITES, revise_kind, make_namespace, issue_token]


@pytest.fixture
def roots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Return the folders of two mirrors, which need not survive a power failure."""
    monkeypatch.setattr("ttag.mirror.writer.flush_to_disk", lambda: None)
    monkeypatch.setattr("os.fsync", lambda handle: None)
    return tmp_path / "by-event", tmp_path / "full"


def prepare() -> None:
    for tag, body in BODIES.items():
        publish(tag, body)
    for alias, target in ((ALIAS, BASE), (PINNED, f"{BASE}@1.0.0")):
        point(alias, target)()


@given(st.lists(st.lists(st.sampled_from(WRITES), min_size=1, max_size=4), max_size=4))
@settings(
    max_examples=examples(0.2),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_mirror_by_event_is_the_full_one_after_any_writes(
    roots: tuple[Path, Path], batches: Sequence[Sequence[Write]]
) -> None:
    by_event, whole = roots
    shutil.rmtree(by_event, ignore_errors=True)
    project.LOG_CHECKPOINT_FILE.unlink(missing_ok=True)  # of events that were rolled back
    with transaction.atomic():
        prepare()
        write(by_event)
        for batch in batches:
            for each in batch:
                try:
                    with transaction.atomic():
                        each()
                except Refused:
                    continue  # it does not apply to what the others have left
            write(by_event)
        assert files(by_event) == full(whole)
        transaction.set_rollback(True)


STEPS: list[Write] = [
    lambda: random_writes.yank(BASE),
    lambda: random_writes.unyank(BASE),
    lambda: random_writes.deprecate(OTHER),
    lambda: random_writes.undeprecate(OTHER),
    lambda: random_writes.turn_family(FAMILY),
    random_writes.add_variant,
    lambda: random_writes.yank(f"{FAMILY}:cuda"),
    lambda: random_writes.unyank(f"{FAMILY}:cuda"),
    lambda: random_writes.deprecate(f"{FAMILY}:cuda"),
    lambda: random_writes.turn_family(FAMILY),
    random_writes.revise(BASE, 2),
    random_writes.revise(HEIR, 2),
    point(ALIAS, OTHER),
    point("acme/new", f"{BASE}@1.0.0"),
]


def test_each_event_changes_what_a_full_run_finds_changed(roots: tuple[Path, Path]) -> None:
    by_event, whole = roots
    prepare()
    write(by_event)
    write(whole)
    for step in STEPS:
        step()
        assert not write(by_event).reason
        write(whole, is_full=True)
        assert files(by_event) == files(whole)


@pytest.mark.parametrize("each", [random_writes.redact, *NAMED])
def test_only_a_redaction_makes_a_run_read_everything(
    roots: tuple[Path, Path], each: Write
) -> None:
    by_event, whole = roots
    prepare()
    write(by_event)
    each()
    summary = write(by_event)
    assert ("text.redacted" in summary.reason) == (each is random_writes.redact)
    assert bool(summary.reason) == (each is random_writes.redact)
    assert files(by_event) == full(whole)


def test_run_that_is_killed_at_any_file_is_made_up_for(
    roots: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_event, whole = roots
    before = tmp_path / "before"
    prepare()
    write(before)
    random_writes.revise(HEIR, 2)()
    random_writes.yank(BASE)
    point(ALIAS, OTHER)()
    expected = full(whole)
    claimed = json.loads((whole / "mirror.json").read_text())["event"]
    for cut in count(1, 1 if is_thorough() else 9):
        shutil.rmtree(by_event, ignore_errors=True)
        shutil.copytree(before, by_event)
        if not is_killed(by_event, cut, monkeypatch):
            break
        if json.loads((by_event / "mirror.json").read_text())["event"] == claimed:
            left = files(by_event)
            named = [path for path in expected if path.startswith(("index", "digests", "formats"))]
            assert all(left[path] == expected[path] for path in named)
        write(by_event)
        assert files(by_event) == expected
    assert cut > len(["target", "text", "text", "mark", "tile", "bundle", "checkpoint", "indexes"])
    assert files(by_event) == expected


def test_text_that_a_killed_run_has_left_is_redacted_all_the_same(
    roots: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    by_event, _ = roots
    write(by_event)
    publish(OTHER, BODIES[OTHER] | {"model": "s3cr3t-board"})
    assert is_killed(by_event, 2, monkeypatch)
    assert any(b"s3cr3t" in content for content in files(by_event).values()), "of no index yet"
    connection.check_constraints()  # PostgreSQL cannot alter tables with deferred checks
    redaction.redact("s3cr3t", reason="a test", actor=random_writes.operator())
    write(by_event)
    assert not any(b"s3cr3t" in content for content in files(by_event).values())


def is_killed(root: Path, cut: int, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Kill a run instead of writing a file; return False if it writes fewer."""
    written = count(1)

    def killed(path: Path, data: bytes, *, is_durable: bool = True) -> None:
        if next(written) == cut:
            raise KeyboardInterrupt
        write_file(path, data, is_durable=is_durable)

    with monkeypatch.context() as patch:
        patch.setattr("ttag.mirror.writer.write_file", killed)
        try:
            write(root)
        except KeyboardInterrupt:
            return True
    return False


def test_every_action_of_the_log_is_known_to_mirrors() -> None:
    known = (
        {PUBLISHED, POINTED, FAMILY_SET, MADE} | UNTOLD | WITHDRAWN | DEPRECATED | WITHOUT_EFFECT
    )
    logged = {action for action, members in MEMBERS.items() if members}
    missing = logged - known
    assert not missing, (
        "add it to WITHOUT_EFFECT of client/ttag/mirror/changes.py if mirrors hold nothing that it "
        "changes; otherwise to the set there that says what it changes"
    )
    assert known - {PRIVATE} == logged
