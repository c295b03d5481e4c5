"""The client follows the keys and forks of the registry itself, in mirrors that it writes."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings

from registry.models import User
from registry.services.core.permissions import Actor
from registry.services.event_log import forks, key_rotation
from registry.services.operations import mirroring
from tests.client.conftest import Run, ttag_in
from ttag import Lock
from ttag.log.files import LogReader
from ttag.log.history import History
from ttag.mirror.storage import Folder, MirroredLog
from ttag.mirror.writer import Writer

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
TAG = "arm/soc:aot"


@pytest.fixture
def operator(alice: User) -> Actor:
    return Actor.operator(alice)


@pytest.fixture
def ttag(tmp_path: Path) -> Callable[..., Run]:
    """Return a function that runs the command with a mirror of the registry, as it is now."""
    run = ttag_in(tmp_path, (tmp_path / "mirror").as_uri())

    def run_with_new_mirror(*arguments: str, **variables: str) -> Run:
        mirroring.write_mirror(tmp_path / "mirror", address="https://registry.example.org")
        return run(*arguments, directory=tmp_path, **variables)

    return run_with_new_mirror


def test_rotation_and_fork_of_a_registry(
    ttag: Callable[..., Run], operator: Actor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ttag("lock", TAG).code == 0
    [first] = Lock.read(tmp_path / "targets.lock").logs
    monkeypatch.setattr(settings, "LOG_KEYS", [*settings.LOG_KEYS, Ed25519PrivateKey.generate()])
    rotated = key_rotation.rotate_key(actor=operator)
    run = ttag("check")
    assert (run.code, "with signatures" in run.err) == (0, True)
    assert ttag("lock", "arm/soc", TTAG_LOG_KEY=str(first.key)).code == 0
    [second] = Lock.read(tmp_path / "targets.lock").logs
    assert str(second.key) == rotated.key != str(first.key)

    forks.fork(reason="the disk was lost", despite_no_loss=True, actor=operator)
    run = ttag("check")
    assert run.code == 5
    assert f"has begun the log {settings.LOG_ORIGIN}/2 after event {second.tree.size} of" in run.out
    assert "of which the lock has seen event" in run.out
    assert "the disk was lost. What came after may be lost; `ttag lock --accept-log`" in run.out
    assert ttag("lock", "--accept-log").code == 0
    assert ttag("check").code == 0


@pytest.mark.parametrize("is_full", [False, True])
def test_log_of_a_mirror_is_whole_between_any_two_writes_of_a_rotation(
    operator: Actor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_full: bool
) -> None:
    write = partial(mirroring.write_mirror, tmp_path, address="https://registry.example.org")
    write()
    reader, keys = LogReader("the mirror", MirroredLog(Folder(tmp_path))), []
    put = Writer.put

    def put_and_read(writer: Writer, path: str, data: bytes) -> None:
        put(writer, path, data)
        checkpoint = reader.checkpoint()
        assert checkpoint is not None
        keys.append(History(reader, checkpoint).keys.newest)  # `open` would read twice

    monkeypatch.setattr(settings, "LOG_KEYS", [*settings.LOG_KEYS, Ed25519PrivateKey.generate()])
    rotated = key_rotation.rotate_key(actor=operator)
    monkeypatch.setattr(Writer, "put", put_and_read)
    write(is_full=is_full)
    assert [str(keys[0]) == rotated.key, str(keys[-1]) == rotated.key] == [False, True]
