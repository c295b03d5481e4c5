"""What `ttag lock`, `check`, `sync` and `resolve` prove and record of an honest log."""

import hashlib
import re
import shutil
from pathlib import Path

import pytest

from tests.client.log.conftest import TAG, Scene
from tests.client.log.ledger import Signer, text64
from tests.domain.event_log import rfc6962
from ttag import Lock
from ttag.log import history

NO_LOG = "has no log of its history, so nothing proves that it was not rewritten."


def test_lock_records_origin_key_size_root_and_event(scene: Scene) -> None:
    text = scene.lock.read_text()
    assert "\nversion = 2\n" in text
    table = text[text.index("[[log]]") :]
    checksum = table.splitlines()[-1]
    assert re.fullmatch('checksum = "sha256:[0-9a-f]{64}"', checksum)
    assert table.splitlines() == [
        "[[log]]",
        f'registry = "{scene.registry.address}"',
        f'origin = "{scene.ledger.origin}"',
        f'key = "{scene.ledger.signer.vkey}"',
        f"size = {len(scene.ledger.leaves)}",
        f'root = "{text64(rfc6962.mth(scene.ledger.leaves))}"',
        checksum,
    ]
    assert scene.target.resolution.event == 301


def test_check_says_once_that_it_verified_signatures(scene: Scene) -> None:
    scene.ledger.fill(500)
    scene.run("lock", "acme/other")
    run = scene.run("check")
    assert run.code == 0
    checked, up_to_date = run.err.splitlines()
    size = len(scene.ledger.leaves)
    assert checked == (
        f"note: the log of the registry {scene.registry.address} was checked to event {size}, with "
        "signatures."
    )
    assert up_to_date == "targets.lock is up to date."


def test_without_cryptography_check_says_that_it_compared_hashes_only(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "can_verify", lambda: False)
    run = scene.run("check")
    assert run.code == 0
    assert "by its hashes only; `pip install ttag[verify]` adds its signatures." in run.err


@pytest.mark.parametrize("command", [("lock",), ("check", "--offline"), ("resolve", TAG)])
def test_what_needs_no_registry_asks_for_no_log(scene: Scene, command: tuple[str, ...]) -> None:
    scene.registry.requested.clear()
    assert scene.run(*command).code == 0
    assert scene.registry.requested == []


def test_lock_that_does_not_change_keeps_the_log_as_it_was(scene: Scene) -> None:
    before = scene.lock.read_text()
    scene.ledger.fill(5)
    scene.run("lock", TAG)
    scene.run("sync")
    assert scene.lock.read_text() == before


def test_sync_that_moves_a_target_records_the_log_as_it_is_now(scene: Scene) -> None:
    event = scene.registry.publish(TAG, cores=16)
    run = scene.run("sync")
    assert run.code == 0
    assert "1.0.0 -> 1.1.0" in run.out
    assert scene.target.resolution.event == event
    assert scene.seen.tree.size == event


def test_event_that_is_newer_than_the_checkpoint_needs_the_next_one(scene: Scene) -> None:
    old = scene.ledger.checkpoint()
    scene.registry.publish(TAG, cores=16)
    checkpoints = iter([old])  # answered from somewhere that lags, once
    scene.registry.log_file = lambda path: (  # type: ignore[method-assign]
        next(checkpoints, scene.ledger.file(path))
        if path == "checkpoint"
        else scene.ledger.file(path)
    )
    assert scene.run("sync").code == 0
    assert scene.seen.tree.size == len(scene.ledger.leaves)


@pytest.mark.parametrize("form", ["target", "json", "clang"])
def test_resolve_from_a_mirror_proves_what_is_not_locked(unlocked: Scene, form: str) -> None:
    address = unlocked.mirror()
    run = unlocked.run("resolve", TAG, "--format", form, TTAG_REGISTRY=address)
    assert (run.code, "haswell" in run.out) == (0, True)
    assert f"the log of the mirror {address} was checked to event 572, with sig" in run.err


def test_resolve_from_a_registry_asks_for_no_log(unlocked: Scene) -> None:
    assert unlocked.run("resolve", TAG).code == 0
    assert not [path for path in unlocked.registry.requested if path.startswith("log/")]


def test_lock_of_a_registry_is_checked_with_a_mirror_and_the_other_way_round(scene: Scene) -> None:
    scene.registry.publish(TAG, cores=16)
    address = scene.mirror()
    assert scene.run("sync", TTAG_REGISTRY=address).code == 0
    scene.ledger.fill(3)
    assert "tampered" not in scene.run("check").out


@pytest.mark.parametrize("use_mirror", [False, True])
def test_registry_and_mirror_of_0_1_keep_working_and_say_what_is_unproven(
    unlocked: Scene, *, use_mirror: bool
) -> None:
    unlocked.registry.ledger = None
    for versions in unlocked.registry.versions.values():
        for version in versions:
            del version["event"]
    address = unlocked.mirror() if use_mirror else unlocked.registry.address
    assert not (unlocked.folder / "mirror" / "log").exists()
    for command in (("lock", TAG), ("check",), ("sync",)):
        run = unlocked.run(*command, TTAG_REGISTRY=address)
        assert (run.code, run.err.count(NO_LOG)) == (0, 1)
    assert "\nversion = 1\n" in unlocked.lock.read_text()


def test_lock_of_format_1_is_proven_and_converted_only_when_it_changes(unlocked: Scene) -> None:
    ledger, unlocked.registry.ledger = unlocked.registry.ledger, None
    [version] = unlocked.registry.versions[TAG]
    event = version.pop("event")
    unlocked.run("lock", TAG)
    before = unlocked.lock.read_text()
    unlocked.registry.ledger = ledger  # the registry was updated
    version["event"] = event
    run = unlocked.run("check")
    assert (run.code, "with signatures" in run.err) == (0, True)
    assert run.err.count("what it said before is unproven") == 1
    for command in ("lock", "check", "sync"):
        unlocked.run(command)
        assert unlocked.lock.read_text() == before
    unlocked.run("lock", "acme/other")
    assert "\nversion = 2\n" in unlocked.lock.read_text()
    assert unlocked.seen.tree.size == 572
    unlocked.run("lock", TAG)
    assert unlocked.target.resolution.event == event
    assert "unproven" not in unlocked.run("check").err


def test_checkpoint_is_never_cached_and_full_tiles_always_are(scene: Scene) -> None:
    scene.run("check")
    scene.registry.requested.clear()
    scene.run("check")
    requested = [path for path in scene.registry.requested if path.startswith("log/")]
    assert "log/checkpoint" in requested
    assert [path for path in requested if "tile" in path and ".p/" not in path] == []


def test_damaged_cache_is_repaired_and_not_reported(scene: Scene) -> None:
    scene.run("check")
    for record in (scene.folder.parent / "cache" / "objects").rglob("*"):
        if record.is_file() and record.stat().st_size == 8192:
            poisoned = b"\1" * 8192
            _replace_in_cache(record, poisoned)
    run = scene.run("check")
    assert (run.code, run.out) == (0, "")


def _replace_in_cache(path: Path, content: bytes) -> None:
    """Make a cache return other bytes for whatever a file is the body of."""
    cache, old = path.parents[3], f"{path.parent.name}{path.name}"
    new = hashlib.sha256(content).hexdigest()
    (cache / "objects" / "sha256" / new[:2]).mkdir(parents=True, exist_ok=True)
    (cache / "objects" / "sha256" / new[:2] / new[2:]).write_bytes(content)
    for record in (cache / "responses").rglob("*.json"):
        record.write_text(record.read_text().replace(old, new))


def test_rotated_key_is_followed_and_recorded_with_the_next_change(scene: Scene) -> None:
    scene.ledger.rotate("second")
    scene.ledger.fill(1)
    scene.ledger.rotate("third")
    scene.registry.publish(TAG, cores=16)
    assert "tampered" not in scene.run("check").out
    assert scene.run("sync").code == 0
    assert str(scene.seen.key) == Signer(scene.ledger.origin, "third").vkey
    assert scene.run("check").code == 0


def test_key_that_is_rotated_between_two_reads_is_no_tampering(scene: Scene) -> None:
    checkpoints = iter([scene.ledger.checkpoint()])
    scene.ledger.rotate("second")
    scene.registry.log_file = lambda path: (  # type: ignore[method-assign]
        next(checkpoints, scene.ledger.file(path))
        if path == "checkpoint"
        else scene.ledger.file(path)
    )
    assert scene.run("check").code == 0
    assert next(checkpoints, None) is None


def test_checkpoint_from_before_the_newest_key_is_no_tampering(scene: Scene) -> None:
    """As in a mirror to which the keys of a rotation were written, and its checkpoint not yet."""
    older = scene.ledger.checkpoint()
    scene.ledger.rotate("second")
    scene.registry.files["checkpoint"] = older
    assert scene.run("check").code == 0
    assert scene.run("sync").code == 0
    assert str(scene.seen.key) == Signer(scene.ledger.origin, "first").vkey, "the one that signed"


def test_key_of_the_settings_that_has_not_signed_yet_is_not_taken_on_trust(
    unlocked: Scene,
) -> None:
    older = unlocked.ledger.checkpoint()
    unlocked.ledger.rotate("second")
    unlocked.registry.files["checkpoint"] = older
    run = unlocked.run("lock", TAG, TTAG_LOG_KEY=unlocked.ledger.signer.vkey)
    assert run.code == 5
    assert "has to be updated" not in run.err, "it is a registry, not a mirror"


def test_key_of_the_settings_is_the_first_that_is_trusted(unlocked: Scene) -> None:
    key = unlocked.ledger.signer.vkey
    unlocked.ledger.rotate("second")
    assert unlocked.run("lock", TAG, TTAG_LOG_KEY=key).code == 0
    (unlocked.folder / "ttag.toml").write_text(f'log_key = "{key}"\n')
    assert unlocked.run("check").code == 0


def test_fork_is_reported_until_it_is_accepted(scene: Scene) -> None:
    del scene.ledger.leaves[560:]  # restored from a backup
    scene.ledger.fork("registry.example.org/log2", "The disk of 24 November was lost.")
    scene.ledger.fill(30)
    for command in ("check", "sync"):
        run = scene.run(command)
        assert run.code == 5
        assert (
            f"The registry {scene.registry.address} has begun the log registry.example.org/log2 "
            "after event 560 of the log registry.example.org/log, of which the lock has seen event "
            "572: The disk of 24 November was lost. What came after may be lost; "
            "`ttag lock --accept-log` accepts it."
        ) in run.out + run.err
    before = scene.lock.read_text()
    assert scene.run("lock").code == 0  # which asks no registry
    assert scene.lock.read_text() == before
    assert scene.run("lock", "--accept-log").code == 0
    assert scene.seen.tree.origin == "registry.example.org/log2"
    assert scene.run("check").code == 0


def test_extensions_and_signatures_of_witnesses_are_ignored(scene: Scene) -> None:
    leaves = scene.ledger.leaves
    text = f"{scene.ledger.origin}\n{len(leaves)}\n{text64(rfc6962.mth(leaves))}\nextension\n"
    note = scene.ledger.signer.note(text)
    witness = Signer("witness.example.org", "witness").note(text).rpartition(b"\n\n")[2]
    scene.registry.files["checkpoint"] = note + witness
    assert scene.run("check").code == 0


def test_both_sides_of_a_merge_are_proven_and_united(scene: Scene) -> None:
    header, _, log = scene.lock.read_text().partition("[[log]]")
    scene.registry.publish("acme/third", cores=2)
    scene.run("lock", "acme/third")
    newer = scene.lock.read_text().partition("[[log]]")[2]
    scene.lock.write_text(
        f"{header}<<<<<<< HEAD\n[[log]]{log}=======\n[[log]]{newer}>>>>>>> other\n"
    )
    assert scene.run("lock").code == 0
    assert scene.seen.tree.size == len(scene.ledger.leaves)
    assert Lock.read(scene.lock).targets.keys() == {TAG}


@pytest.mark.parametrize("options", [(), ("--offline",)])
def test_log_that_was_removed_from_the_lock_is_missed(
    scene: Scene, options: tuple[str, ...]
) -> None:
    text = scene.lock.read_text()
    scene.lock.write_text(text.partition("[[log]]")[0])
    run = scene.run("check", *options)
    assert run.code == 1
    assert f"stale: targets.lock has event 301 of {scene.registry.address} for {TAG}" in run.out
    assert scene.run("lock", "--accept-log").code == 0
    assert scene.run("check", *options).code == 0


def test_only_the_log_of_the_same_registry_is_missed(scene: Scene) -> None:
    mirror = scene.mirror()
    (scene.folder / "ttag.toml").write_text(f'[namespaces]\nacme = "{mirror}"\n')
    assert scene.run("lock", "acme/other").code == 0
    logs = scene.lock.read_text().split("\n[[log]]")
    assert len(logs) == 3
    assert not scene.run("check", "--offline").out.count("but not its log")
    scene.lock.write_text("\n[[log]]".join(logs[:2]))
    assert scene.run("check", "--offline").out.count("but not its log") == 1


def test_mirror_without_a_log_locks_no_event_whose_log_could_be_missed(unlocked: Scene) -> None:
    mirror = unlocked.mirror()
    shutil.rmtree(unlocked.folder / "mirror" / "log")
    assert unlocked.run("lock", TAG, TTAG_REGISTRY=mirror).code == 0
    assert unlocked.target.resolution.event is None
    assert unlocked.run("check", TTAG_REGISTRY=mirror).code == 0


def test_edited_log_is_tampered_and_not_missed(scene: Scene) -> None:
    scene.lock.write_text(scene.lock.read_text().replace("\nsize = ", "\nsize = 1"))
    run = scene.run("check", "--offline")
    assert run.code == 5
    assert "not its log" not in run.out


def test_log_of_targets_that_are_gone_is_not_kept(scene: Scene) -> None:
    other = scene.run("lock", "acme/other", TTAG_REGISTRY=scene.mirror("second"))
    assert other.code == 0
    assert len(Lock.read(scene.lock).logs) == 2
    (scene.folder / "ttag.toml").write_text(f'targets = ["{TAG}"]\n')
    assert scene.run("lock").code == 0
    assert scene.seen.registry == scene.registry.address
