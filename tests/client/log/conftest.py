"""A registry with a log, a project that locks a tag of it, and a mirror; a test changes them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.client.conftest import Run, Ttag, ttag_in
from tests.client.log.fake_registry import FakeRegistry, served
from tests.client.log.ledger import Ledger
from ttag import Lock, Registry
from ttag.lock.content import LockedTarget
from ttag.log.history import KnownLog
from ttag.mirror.mirroring import write_mirror

TAG = "acme/board"


@dataclass
class Scene:
    """A registry with some 600 events, and a project that locks a tag of it."""

    registry: FakeRegistry
    folder: Path
    ttag: Ttag

    @property
    def ledger(self) -> Ledger:
        assert self.registry.ledger is not None
        return self.registry.ledger

    @property
    def lock(self) -> Path:
        return self.folder / "targets.lock"

    @property
    def target(self) -> LockedTarget:
        """The locked target of the tag."""
        return Lock.read(self.lock).targets[TAG]

    @property
    def seen(self) -> KnownLog:
        """The log that is locked."""
        [log] = Lock.read(self.lock).logs
        return log

    def run(self, *arguments: str, **variables: str) -> Run:
        """Run the command in the project, against the registry unless stated."""
        return self.ttag(
            *arguments,
            directory=self.folder,
            **{"TTAG_REGISTRY": self.registry.address, **variables},
        )

    def mirror(self, name: str = "mirror") -> str:
        """Copy the registry as it is now, and return the address of the mirror."""
        root = self.folder / name
        write_mirror(Registry(self.registry.address), root, formats=["clang"])
        return root.as_uri()

    def lie_in_mirror(self, name: str = "mirror") -> str:
        """Replace the log in a mirror by what the registry serves now, and return its address."""
        for path in [*self.ledger.paths(), *self.registry.files]:
            content = self.registry.log_file(path)
            file = self.folder / name / "log" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.unlink(missing_ok=True)
            if content is not None:
                file.write_bytes(content)
        return (self.folder / name).as_uri()


@pytest.fixture
def registry() -> Iterator[FakeRegistry]:
    """Yield a registry with a tag of two versions, far apart in a log of three bundles."""
    registry = FakeRegistry()
    assert registry.ledger
    registry.ledger.fill(300)
    registry.publish(TAG, cores=4)
    registry.ledger.fill(250)
    registry.publish("acme/other", cores=8)
    registry.ledger.fill(20)
    with served(registry):
        yield registry


@pytest.fixture
def unlocked(registry: FakeRegistry, tmp_path: Path) -> Scene:
    """Return a project that has locked nothing yet."""
    folder = tmp_path / "project"
    folder.mkdir()
    return Scene(registry, folder, ttag_in(tmp_path, registry.address))


@pytest.fixture
def scene(unlocked: Scene) -> Scene:
    """Return a project that has locked a tag, and has a mirror of the registry as it was then."""
    run = unlocked.run("lock", TAG)
    assert run.code == 0, run.err
    unlocked.mirror()
    return unlocked
