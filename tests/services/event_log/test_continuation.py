"""Another key, endorsed by the last one; and another origin, after a loss."""

import base64
import stat
from io import StringIO
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import transaction

from registry.domain.errors import Code, Refused
from registry.domain.event_log import notes
from registry.domain.event_log.notes import Verifier
from registry.models import Event, LogFork, LogKey, User
from registry.services.core.permissions import Actor
from registry.services.core.transactions import write_lock
from registry.services.event_log import checkpoints, forks, key_rotation, signing_keys
from registry.services.event_log.appending import append_event, last_event_number
from registry.services.operations import health
from tests.domain.event_log.signed_notes import is_signed_by

pytestmark = pytest.mark.django_db
NEXT = Ed25519PrivateKey.generate()
ORIGIN = settings.LOG_ORIGIN


@pytest.fixture
def operator(alice: User) -> Actor:
    return Actor.operator(alice)


@pytest.fixture
def key_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Move the key from the settings to the file, as on SQLite."""
    file = tmp_path / "log-key"
    monkeypatch.setattr(settings, "LOG_KEY_FILE", file)
    signing_keys.write(settings.LOG_KEYS)
    monkeypatch.setattr(settings, "LOG_KEYS", [])
    return file


def in_force() -> LogKey:
    row = signing_keys.key_in_force()
    assert row
    return row


def assert_endorsed(first: LogKey, second: LogKey) -> None:
    text = f"target-tag-registry/log-key\n{second.origin}\n{second.since}\n{second.key}\n"
    assert notes.is_endorsed(Verifier.parse(first.key), second.endorsement, text)


def test_next_key_of_the_settings_signs(operator: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    first, size = in_force(), last_event_number()
    monkeypatch.setattr(settings, "LOG_KEYS", [*settings.LOG_KEYS, NEXT])
    assert health.problems() == [], "both are known before, on every node"
    second = key_rotation.rotate_key(actor=operator)
    assert second.key == str(Verifier.of(ORIGIN, NEXT))
    assert (second.origin, second.since) == (ORIGIN, size)
    assert_endorsed(first, second)
    signed = checkpoints.newest()
    assert is_signed_by(signed.note, Verifier.parse(second.key))
    assert not is_signed_by(signed.note, Verifier.parse(first.key))
    event = Event.objects.latest("number")
    assert (event.action, event.subject) == ("log.key_rotated", ORIGIN)
    monkeypatch.setattr(settings, "LOG_KEYS", [NEXT])
    assert health.problems() == [], "the last key is not needed any more"
    assert [key["key"] for key in keys()] == [first.key, second.key]


def keys() -> list[dict[str, str]]:
    return signing_keys.history()["keys"]  # type: ignore[return-value]


def test_settings_without_a_next_key(operator: Actor) -> None:
    with pytest.raises(Refused, match="set REGISTRY_LOG_KEY to the key in force and a new one"):
        key_rotation.rotate_key(actor=operator)
    assert LogKey.objects.count() == 1


def test_key_that_was_in_force_does_not_come_back(
    operator: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "LOG_KEYS", [*settings.LOG_KEYS, NEXT])
    key_rotation.rotate_key(actor=operator)
    with pytest.raises(Refused, match="There is no next key"):
        key_rotation.rotate_key(actor=operator)


def test_rotation_needs_the_last_key(operator: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "LOG_KEYS", [NEXT])
    with pytest.raises(Refused, match=r"There is no key to rotate: .* holds another key"):
        key_rotation.rotate_key(actor=operator)


def test_new_key_is_made_in_the_file(operator: Actor, key_file: Path) -> None:
    first, text = in_force(), key_file.read_text()
    second = key_rotation.rotate_key(actor=operator)
    assert_endorsed(first, second)
    (line,) = key_file.read_text().split()
    assert line not in text
    assert str(Verifier.of(ORIGIN, notes.private_key(line))) == second.key
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    assert health.problems() == []


def test_interrupted_rotation_is_repeated(
    operator: Actor, key_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key in force stays in the file until the commit."""
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):  # noqa: PT012
        patch.setattr(key_rotation, "append_event", interrupt)
        key_rotation.rotate_key(actor=operator)
    assert len(key_file.read_text().split()) == 2
    assert LogKey.objects.count() == 1
    assert health.problems() == []
    key_rotation.rotate_key(actor=operator)
    assert len(key_file.read_text().split()) == 1
    assert health.problems() == []


def interrupt(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


@pytest.fixture
def loss(alice: User) -> int:
    """Lose two events that were signed for; return the size that was signed."""
    savepoint = transaction.savepoint()
    with write_lock():
        for _ in range(2):
            append_event("lints.replaced", "lints", actor=alice, namespace="")
    size = checkpoints.newest().checkpoint.size
    transaction.savepoint_rollback(savepoint)
    assert len(health.problems()) == 1
    return size


def test_log_goes_on_under_another_origin(operator: Actor, loss: int) -> None:
    first, lost = in_force(), checkpoints.kept()
    assert lost
    row = forks.fork(reason="the disk failed", actor=operator)
    assert health.problems() == []
    assert (row.origin, row.since, row.endorsement) == (f"{ORIGIN}/2", loss - 2, "")
    signed = checkpoints.newest()
    assert (signed.checkpoint.origin, signed.checkpoint.size) == (row.origin, loss - 1)
    assert is_signed_by(signed.note, Verifier.parse(row.key))
    assert first.key != row.key, "signatures of one are none of the other"
    root = base64.b64encode(lost.root).decode()
    assert signing_keys.history() == {
        "origin": row.origin,
        "keys": [{"key": row.key, "since": loss - 2, "endorsement": None}],
        "forks": [{"origin": ORIGIN, "size": loss, "root": root, "reason": "the disk failed"}],
    }
    assert checkpoints.kept() == signed.checkpoint


@pytest.mark.usefixtures("loss")
def test_no_key_is_rotated_while_events_are_missing(operator: Actor) -> None:
    """It would sign that it is followed at a size for which it has signed another tree."""
    before = in_force().key
    with pytest.raises(Refused, match="has to go on before its key rotates: event") as refused:
        key_rotation.rotate_key(actor=operator)
    assert refused.value.code is Code.CONFLICT
    assert in_force().key == before


@pytest.mark.usefixtures("loss")
def test_second_fork_gets_the_next_number(operator: Actor) -> None:
    forks.fork(reason="the disk failed", actor=operator)
    assert forks.fork(reason="again", despite_no_loss=True, actor=operator).origin == f"{ORIGIN}/3"
    assert [fork.origin for fork in LogFork.objects.all()] == [ORIGIN, f"{ORIGIN}/2"]


def test_file_of_another_node_that_saw_more_is_accepted(operator: Actor, loss: int) -> None:
    """The fork ended that log; what this node had signed for it is lost, too."""
    kept = settings.LOG_CHECKPOINT_FILE.read_text()
    forks.fork(reason="the disk failed", actor=operator)
    settings.LOG_CHECKPOINT_FILE.write_text(kept)
    assert health.problems() == []
    assert checkpoints.newest().checkpoint.size == loss - 1


def test_fork_without_a_file_ends_the_log_where_it_is(operator: Actor) -> None:
    size = last_event_number()
    origin = "r.example.org/log"
    forks.fork(reason="moved", despite_no_loss=True, actor=operator, origin=origin)
    assert LogFork.objects.get().size == size
    assert in_force().origin == "r.example.org/log"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"origin": "a b"}, "The origin must be 1 to 200 printable ASCII characters"),
        ({"origin": "a+b"}, "The origin must be"),
        ({"origin": ORIGIN}, "is or was an origin of this log"),
        ({"reason": ""}, "invalid|reason"),
    ],
)
def test_fork_that_is_refused(operator: Actor, options: dict[str, str], sentence: str) -> None:
    options = {"reason": "lost", **options}
    with pytest.raises(Refused, match=sentence) as refused:
        forks.fork(**options, despite_no_loss=True, actor=operator)
    assert refused.value.code is Code.REQUEST_INVALID
    assert not LogFork.objects.exists()


def test_log_that_lacks_nothing_is_not_forked(operator: Actor) -> None:
    checkpoints.newest()
    before = last_event_number()
    with pytest.raises(Refused, match="it goes on without a fork") as refused:
        forks.fork(reason="just in case", actor=operator)
    assert refused.value.code is Code.CONFLICT
    assert (last_event_number(), in_force().origin) == (before, ORIGIN)
    assert not LogFork.objects.exists()


def test_fork_makes_a_key_where_the_file_was_lost(operator: Actor, key_file: Path) -> None:
    key_file.unlink()
    assert len(health.problems()) == 1
    forks.fork(reason="the key was lost", actor=operator)
    assert key_file.exists()
    assert health.problems() == []


def test_fork_needs_a_key_of_the_settings(operator: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "LOG_KEYS", [])
    monkeypatch.setattr(settings, "LOG_KEY_FILE", None)
    with pytest.raises(Refused, match="There is no private key: set REGISTRY_LOG_KEY"):
        forks.fork(reason="lost", actor=operator)


def test_commands(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    out = StringIO()
    call_command("log", "show", stdout=out)
    assert out.getvalue() == f"{checkpoints.newest().note}{in_force().key}\n"
    monkeypatch.setattr(settings, "LOG_KEYS", [*settings.LOG_KEYS, NEXT])
    call_command("log", "rotate", actor=alice.username, stdout=out)
    fork = ["log", "fork", "--reason", "lost", "--actor", alice.username]
    with pytest.raises(CommandError, match="add --despite-no-loss"):
        call_command(*fork)
    call_command(*fork, "--despite-no-loss", stdout=out)
    first, second = out.getvalue().splitlines()[-2:]
    assert first.startswith("From event ")
    assert f"checkpoints are signed by {ORIGIN}+" in first
    assert second.endswith(f"are signed by {in_force().key}")
    with pytest.raises(CommandError, match="There is no next key"):
        call_command("log", "rotate", actor=alice.username)
    with pytest.raises(CommandError, match="nobody"):
        call_command("log", "rotate", actor="nobody")
