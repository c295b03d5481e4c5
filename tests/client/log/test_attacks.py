"""A registry or a mirror that lies about its history, and a client that has seen more."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.client.conftest import Run
from tests.client.log.conftest import TAG, Scene
from tests.client.log.fake_registry import served
from tests.client.log.ledger import Signer, text64
from ttag.canonical_json import canonical, digest_of
from ttag.log import history

OTHER = digest_of(canonical({"kind": "llvm", "mcpu": "haswell", "num-cores": 5}))
EVENT = 301  # of the locked version
TILE = "tile/0/001"
BUNDLE = "tile/entries/001"

Attack = Callable[[Scene], None]


def changed_leaf(scene: Scene) -> None:
    scene.ledger.rewrite(EVENT, digest=OTHER)


def changed_leaf_that_is_not_locked(scene: Scene) -> None:
    scene.ledger.rewrite(7, action="kind.revised")


def changed_bundle(scene: Scene) -> None:
    honest = scene.ledger.file(BUNDLE)
    assert honest
    scene.registry.files[BUNDLE] = honest.replace(b'"version":"1.0.0"', b'"version":"1.1.0"')


def dropped_event(scene: Scene) -> None:
    del scene.ledger.leaves[400]
    scene.ledger.fill(40)


def old_checkpoint(scene: Scene) -> None:
    scene.registry.files["checkpoint"] = scene.ledger.checkpoint(500)


def shortened_tree(scene: Scene) -> None:
    del scene.ledger.leaves[500:]


def emptied_tree(scene: Scene) -> None:
    scene.ledger.leaves.clear()


def grown_but_rewritten_tree(scene: Scene) -> None:
    scene.ledger.rewrite(2, action="tag.deprecated")
    scene.ledger.fill(1000)


def grown_tree_without_what_is_locked(scene: Scene) -> None:
    scene.ledger.rewrite(EVENT, action="private")
    scene.ledger.fill(1)


def other_key(scene: Scene) -> None:
    scene.ledger.words[:] = ["stolen"]


def key_that_nobody_endorsed(scene: Scene) -> None:
    scene.ledger.rotate("second", by="attacker")


def key_with_the_endorsement_of_another(scene: Scene) -> None:
    scene.ledger.rotate("second")
    scene.ledger.rotate("third", by="first")


def signature_by_another_key(scene: Scene) -> None:
    honest, other = scene.ledger.signer, Signer(scene.ledger.origin, "attacker")
    forged = scene.ledger.checkpoint(signer=other)
    text = forged.rpartition("\n\u2014 ".encode())[0].decode()
    line = f"\n\u2014 {honest.origin} {text64(honest.id + other.sign(text))}\n"
    scene.registry.files["checkpoint"] = text.encode() + line.encode()


def signature_by_an_old_key(scene: Scene) -> None:
    old = scene.ledger.signer
    scene.ledger.rotate("second")
    scene.ledger.fill(1)  # for which the second has to sign
    scene.registry.files["checkpoint"] = scene.ledger.checkpoint(signer=old)


def tile_that_does_not_match(scene: Scene) -> None:
    scene.ledger.fill(100)
    scene.registry.files[TILE] = bytes(8192)


def tile_of_another_size(scene: Scene) -> None:
    scene.ledger.fill(100)
    scene.registry.files[TILE] = bytes(8191)


def bundle_with_a_leaf_less(scene: Scene) -> None:
    honest = scene.ledger.file(BUNDLE)
    assert honest
    scene.registry.files[BUNDLE] = honest[: -2 - len(scene.ledger.leaves[511])]


def bundle_with_a_leaf_more(scene: Scene) -> None:
    honest = scene.ledger.file(BUNDLE)
    assert honest
    scene.registry.files[BUNDLE] = honest + b"\0\2{}"


def oversized_checkpoint(scene: Scene) -> None:
    scene.registry.files["checkpoint"] = (
        scene.ledger.checkpoint() + "\u2014 a YWFhYWE=\n".encode() * 9999
    )


def malformed_checkpoint(scene: Scene) -> None:
    scene.registry.files["checkpoint"] = scene.ledger.signer.note(f"{scene.ledger.origin}\n572\n")


def page_instead_of_a_checkpoint(scene: Scene) -> None:
    scene.registry.files["checkpoint"] = b"<!DOCTYPE html>\n\n<p>Nothing here.</p>\n"


def malformed_keys(scene: Scene) -> None:
    scene.registry.files["keys"] = b"[]"


def withheld_log(scene: Scene) -> None:
    scene.registry.files |= {"checkpoint": None, "keys": None}


def withheld_keys(scene: Scene) -> None:
    scene.registry.files["keys"] = None


def other_origin(scene: Scene) -> None:
    scene.ledger.origin = "registry.example.org/other"


def fork_that_is_not_announced(scene: Scene) -> None:
    scene.ledger.fork("registry.example.org/log2", "none")
    scene.ledger.forks.clear()


def fork(scene: Scene) -> None:
    scene.ledger.fork("registry.example.org/log2", "a new disk")


ATTACKS = [
    (changed_leaf, "was rewritten: its first 572 events are not those that the lock has seen"),
    (changed_leaf_that_is_not_locked, "was rewritten: its first 572 events"),
    (changed_bundle, "Event 301 of .* is not the one that its log commits to"),
    (dropped_event, "was rewritten: its first 572 events"),
    (grown_but_rewritten_tree, "was rewritten: its first 572 events"),
    (grown_tree_without_what_is_locked, "was rewritten: its first 572 events"),
    (other_key, "has not endorsed"),
    (key_that_nobody_endorsed, "has not endorsed"),
    (key_with_the_endorsement_of_another, "has not endorsed"),
    (signature_by_another_key, "has a signature that is not by its key"),
    (signature_by_an_old_key, "checkpoint .* is not usable: it has no signature by the key"),
    (tile_that_does_not_match, "Event 301 of .* is not the one that its log commits to"),
    (tile_of_another_size, r"tile/0/001 of the log of .* has 8191 bytes instead of 8192"),
    (bundle_with_a_leaf_less, r"tile/entries/001 of the log .* has 255 leaves instead of 256"),
    (bundle_with_a_leaf_more, r"tile/entries/001 of the log .* has 257 leaves instead of 256"),
    (oversized_checkpoint, "checkpoint .* is not usable: it has more than 131072 bytes"),
    (malformed_checkpoint, "checkpoint .* is not usable: it needs the lines origin, size and"),
    (page_instead_of_a_checkpoint, "checkpoint .* is not usable: it has no signature after an"),
    (malformed_keys, "keys .* is not usable: it is not the JSON of keys and forks"),
    (withheld_log, "has no log, and had one when the lock was written"),
    (withheld_keys, "has a checkpoint and no keys"),
    (other_origin, "has the log registry.example.org/other, which does not continue the log"),
    (fork_that_is_not_announced, "has the log registry.example.org/log2, which does not continue"),
    (fork, "has begun the log registry.example.org/log2 after event 572"),
]
CUT = [
    (old_checkpoint, 500),
    (shortened_tree, 500),
    (emptied_tree, 0),
]


def named(cases: list[tuple[Any, ...]]) -> list[Any]:
    return [pytest.param(*case, id=case[0].__name__) for case in cases]


def reported(run: Run) -> str:
    """Return the only sentence that a run reports, besides that a mirror is another address."""
    lines = [*run.out.splitlines(), *run.err.splitlines()]
    [sentence] = [line for line in lines if not line.startswith(("note: ", "stale: "))]
    return sentence


@pytest.mark.parametrize(("attack", "message"), named(ATTACKS))
def test_check_finds_a_lying_registry(scene: Scene, attack: Attack, message: str) -> None:
    attack(scene)
    run = scene.run("check", TTAG_CACHE=str(scene.folder / "empty"))
    assert run.code == 5
    assert re.search(message, reported(run))


@pytest.mark.parametrize(("attack", "message"), named(ATTACKS))
def test_check_finds_a_lying_mirror(scene: Scene, attack: Attack, message: str) -> None:
    attack(scene)
    run = scene.run("check", TTAG_REGISTRY=scene.lie_in_mirror())
    assert run.code == 5
    assert re.search(message, reported(run))


# Those that concern the whole log, and not only the files that prove one event.
PARTIAL = {
    changed_bundle,
    bundle_with_a_leaf_less,
    bundle_with_a_leaf_more,
    tile_that_does_not_match,
    tile_of_another_size,
}
WHOLE = [case for case in ATTACKS if case[0] not in PARTIAL]


@pytest.mark.parametrize(("attack", "message"), named(WHOLE))
def test_nothing_is_locked_from_a_registry_that_lies(
    scene: Scene, attack: Attack, message: str
) -> None:
    before = scene.lock.read_text()
    attack(scene)
    for command in (("lock", "acme/other"), ("sync",)):
        run = scene.run(*command)
        assert run.code == 5
        assert re.search(message, reported(run))
    assert scene.lock.read_text() == before


@pytest.mark.parametrize(("attack", "message"), named(WHOLE))
def test_nothing_resolves_from_a_mirror_that_lies(
    scene: Scene, attack: Attack, message: str
) -> None:
    attack(scene)
    address = scene.lie_in_mirror()
    for form in ("clang", "json"):
        run = scene.run("resolve", "acme/other@1.0.0", "--format", form, TTAG_REGISTRY=address)
        assert (run.code, run.out) == (5, "")
        assert re.search(message, reported(run))


@pytest.mark.parametrize(("attack", "size"), named(CUT))
def test_registry_that_cuts_its_log_short_is_found(scene: Scene, attack: Attack, size: int) -> None:
    attack(scene)
    run = scene.run("check")
    assert run.code == 5
    assert (
        f"was cut short: it ends with event {size}, and the lock has seen event 572."
        in reported(run)
    )


@pytest.mark.parametrize(("attack", "size"), named(CUT))
def test_mirror_that_is_older_than_the_lock_proves_nothing(
    scene: Scene, attack: Attack, size: int
) -> None:
    attack(scene)
    address = scene.lie_in_mirror()
    sentence = (
        f"The mirror {address} is older than the lock: its log ends with event {size}, and the "
        "lock has seen event 572. Update it, or ask the registry."
    )
    run = scene.run("check", TTAG_REGISTRY=address)
    assert (run.code, reported(run)) == (1, f"behind: {sentence}")
    for command in (("sync",), ("resolve", "acme/other@1"), ("lock", "acme/other")):
        run = scene.run(*command, TTAG_REGISTRY=address)
        assert (run.code, run.out) == (4, "")
        assert f"error: {sentence}\n" in run.err
    assert scene.run("resolve", TAG, TTAG_REGISTRY=address).code == 0  # comes from the lock


@pytest.mark.parametrize(("attack", "size"), named(CUT))
def test_registry_for_another_site_that_is_older_than_the_lock_proves_nothing(
    scene: Scene, attack: Attack, size: int
) -> None:
    attack(scene)
    registry = scene.registry
    upstream = "https://registry.example.org"  # it may know the registry by another address
    with served(replace(registry, upstream=upstream)) as site:
        run = scene.run("lock", "acme/other", TTAG_REGISTRY=site.address)
        assert run.code == 4
        assert f"is older than the lock: its log ends with event {size}, and" in run.err
        run = scene.run("check", TTAG_REGISTRY=site.address)
        assert (run.code, "behind: " in run.out) == (1, True)
    with served(replace(registry)) as another:
        assert scene.run("check", TTAG_REGISTRY=another.address).code == 5
    registry.upstream = upstream  # the registry that the lock names is no mirror of another
    assert scene.run("check").code == 5


def test_mirror_from_before_the_key_of_the_lock_proves_nothing(unlocked: Scene) -> None:
    address = unlocked.mirror()
    unlocked.ledger.rotate("second")
    unlocked.ledger.fill(1)
    assert unlocked.run("lock", TAG).code == 0
    run = unlocked.run("check", TTAG_REGISTRY=address)
    assert (run.code, reported(run).partition(":")[0]) == (1, "behind")
    assert unlocked.run("resolve", "acme/other", TTAG_REGISTRY=address).code == 4
    key = unlocked.ledger.signer.vkey
    run = unlocked.run("resolve", "acme/other", TTAG_REGISTRY=address, TTAG_LOG_KEY=key)
    assert run.code == 5
    assert "A mirror from before that key has to be updated." in run.err


@pytest.mark.parametrize(
    ("event", "found"),
    [(552, "another tag"), (302, "another version"), (301, "another digest"), (5, "nothing")],
)
def test_leaf_for_something_else_proves_nothing(unlocked: Scene, event: int, found: str) -> None:
    [version] = unlocked.registry.versions[TAG]
    tag = {"another tag": "acme/other"}.get(found, TAG)
    number = {"another version": "1.1.0"}.get(found, "1.0.0")
    digest = {"another digest": OTHER}.get(found, version["digest"])
    if found != "nothing":
        unlocked.ledger.rewrite(
            event, action="version.published", tag=tag, version=number, digest=digest
        )
    version["event"] = event
    run = unlocked.run("lock", TAG)
    assert run.code == 5
    assert f"Event {event} of the registry" in reported(run)
    assert f"does not say that {TAG}@1.0.0 has the digest sha256:" in reported(run)
    assert not unlocked.lock.exists()


@pytest.mark.parametrize("action", ["version.yanked", "private", "tag.deprecated", "published"])
def test_leaf_of_another_action_states_no_digest(unlocked: Scene, action: str) -> None:
    unlocked.ledger.rewrite(EVENT, action=action)
    assert "does not say that" in reported(unlocked.run("lock", TAG))


def test_leaf_of_another_event_states_no_digest(unlocked: Scene) -> None:
    unlocked.ledger.rewrite(EVENT, event=EVENT - 1)
    assert "does not say that" in reported(unlocked.run("lock", TAG))


def test_leaf_of_a_redaction_states_the_digest(unlocked: Scene) -> None:
    unlocked.ledger.rewrite(EVENT, action="version.redacted")
    assert unlocked.run("lock", TAG).code == 0


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (573, "is said to be event 573, and the log of .* ends with event 572"),
        (2**60, "ends with event 572"),
        (None, "does not say which event is acme/board@1.0.0"),
        (0, "something that is not a resolution"),
        (-1, "something that is not a resolution"),
        (True, "something that is not a resolution"),
        ("301", "something that is not a resolution"),
    ],
)
def test_event_that_does_not_exist_is_refused(unlocked: Scene, event: object, message: str) -> None:
    [version] = unlocked.registry.versions[TAG]
    version["event"] = event
    run = unlocked.run("lock", TAG)
    assert run.code == (4 if "resolution" in message else 5)
    assert re.search(message, reported(run))


@pytest.mark.parametrize(
    "leaf",
    [
        b"",
        b"[]",
        b'{"action":"version.published"',
        b"\xff",
        b'{"a":1,"a":2}',
        b'{ "event":301}',
        b"[" * 60000,
    ],
)
def test_leaf_that_is_no_canonical_object_is_refused(unlocked: Scene, leaf: bytes) -> None:
    unlocked.ledger.leaves[EVENT - 1] = leaf
    run = unlocked.run("lock", TAG)
    assert run.code == 5
    assert "is not usable: the leaf is not a canonical JSON object." in reported(run)


def test_split_view_of_one_length_is_found_where_both_locks_meet(scene: Scene) -> None:
    ours = scene.lock.read_text()
    scene.ledger.rewrite(9, action="tag.deprecated")
    scene.lock.unlink()
    assert scene.run("lock", TAG).code == 0
    _conflict(scene, ours, scene.lock.read_text())
    run = scene.run("lock", TTAG_REGISTRY="")
    assert run.code == 5
    assert "has shown two histories of 572 events" in reported(run)


@pytest.mark.parametrize("is_ours_older", [False, True])
def test_split_view_of_two_lengths_is_found_where_both_locks_meet(
    scene: Scene, *, is_ours_older: bool
) -> None:
    ours = scene.lock.read_text()
    scene.ledger.rewrite(9, action="tag.deprecated")
    scene.ledger.fill(2)
    scene.lock.unlink()
    assert scene.run("lock", TAG).code == 0
    sides = [ours, scene.lock.read_text()]
    _conflict(scene, *(sides if is_ours_older else sides[::-1]))
    run = scene.run("lock")
    assert run.code == 5
    assert "was rewritten: its first 572 events" in reported(run)


@pytest.mark.parametrize("attack", [other_origin, withheld_log], ids=lambda each: each.__name__)
def test_mirror_for_another_namespace_must_continue_the_log_of_its_registry(
    scene: Scene, attack: Attack
) -> None:
    scene.registry.namespaces = ("acme", "extra")
    scene.registry.publish("extra/board")
    scene.mirror("extra")
    attack(scene)
    address = scene.lie_in_mirror("extra")
    (scene.folder / "ttag.toml").write_text(f'[namespaces]\nextra = "{address}"\n')
    run = scene.run("resolve", "extra/board@1.0.0")
    assert (run.code, run.out) == (5, "")
    assert re.search("does not continue the log|has no log, and had one", reported(run))


def test_two_clients_with_one_lock_find_a_split_view(scene: Scene) -> None:
    scene.registry.publish(TAG, cores=16)
    honest = scene.ledger.copy()
    assert scene.run("sync").code == 0  # the first client, which commits its lock
    honest.rewrite(573, digest=OTHER)
    scene.registry.ledger = honest  # what the second client is shown
    assert "was rewritten" in reported(scene.run("check"))


def test_merge_that_nobody_can_prove_is_refused(scene: Scene) -> None:
    ours = scene.lock.read_text()
    scene.ledger.fill(2)
    scene.lock.unlink()
    scene.run("lock", TAG)
    _conflict(scene, ours, scene.lock.read_text())
    run = scene.run("lock", TTAG_REGISTRY="")
    assert (run.code, "No registry is set" in reported(run)) == (2, True)


def _conflict(scene: Scene, ours: str, theirs: str) -> None:
    """Leave the conflict that git reports where two branches have locked the log differently."""
    body, _, log = ours.partition("[[log]]")
    other = theirs.partition("[[log]]")[2]
    scene.lock.write_text(f"{body}<<<<<<< HEAD\n[[log]]{log}=======\n[[log]]{other}>>>>>>> other\n")


def test_key_of_the_settings_excludes_another_registry_the_first_time(unlocked: Scene) -> None:
    other = Signer(unlocked.ledger.origin, "another").vkey
    run = unlocked.run("lock", TAG, TTAG_LOG_KEY=other)
    assert run.code == 5
    assert f"which the key {other} of the settings has not endorsed" in reported(run)


def test_key_of_the_settings_excludes_a_withheld_log_the_first_time(unlocked: Scene) -> None:
    key = unlocked.ledger.signer.vkey
    withheld_log(unlocked)
    run = unlocked.run("lock", TAG, TTAG_LOG_KEY=key)
    assert run.code == 5
    assert "has no log, and the settings name its key." in reported(run)


@pytest.mark.parametrize(
    ("attack", "message"), [(other_key, "has not endorsed"), (withheld_log, "has no log, and the")]
)
def test_mirror_is_written_only_of_a_log_with_the_key_of_the_settings(
    unlocked: Scene, attack: Attack, message: str
) -> None:
    key = unlocked.ledger.signer.vkey
    attack(unlocked)
    run = unlocked.run("mirror", "new", TTAG_LOG_KEY=key)
    assert run.code == 5
    assert message in reported(run)
    assert not (unlocked.folder / "new" / "mirror.json").exists()


def test_mirror_of_a_log_whose_key_has_led_to_another_is_written(unlocked: Scene) -> None:
    key = unlocked.ledger.signer.vkey
    unlocked.ledger.rotate("second")
    for _ in range(2):
        assert unlocked.run("mirror", "new", TTAG_LOG_KEY=key).code == 0


@pytest.mark.parametrize("options", [(), ("--full",)])
def test_mirror_does_not_go_on_with_a_key_that_its_own_has_not_endorsed(
    scene: Scene, options: tuple[str, ...]
) -> None:
    log = scene.folder / "mirror" / "log"
    before = {path: path.read_bytes() for path in log.rglob("*") if path.is_file()}
    scene.registry.publish("acme/later")
    other_key(scene)
    run = scene.run("mirror", "mirror", "--format", "clang", *options)
    assert run.code == 5
    assert "of the mirror has not endorsed" in reported(run)
    assert before == {path: path.read_bytes() for path in before}


def test_mirror_repairs_keys_that_do_not_sign_its_checkpoint(scene: Scene) -> None:
    keys = scene.folder / "mirror" / "log" / "keys"
    before = keys.read_bytes()
    for damage in (b"", b"{}", before.replace(b"since", b"sence")):
        keys.write_bytes(damage)
        assert scene.run("mirror", "mirror", "--format", "clang").code == 0
        assert keys.read_bytes() == before


def test_another_key_or_tree_is_found_without_cryptography(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "can_verify", lambda: False)
    for attack in (changed_leaf, dropped_event, other_key, withheld_log):
        scene.registry.ledger = scene.ledger.copy()
        attack(scene)
        assert scene.run("check").code == 5


def test_withheld_tile_is_an_honest_no(scene: Scene) -> None:
    scene.ledger.fill(100)
    scene.registry.files[TILE] = None
    run = scene.run("check", TTAG_CACHE=str(scene.folder / "empty"))
    assert run.code == 4
    assert f"is incomplete: it has no {TILE}." in reported(run)


def test_mirror_is_not_written_from_a_registry_that_lies(scene: Scene) -> None:
    honest = scene.ledger
    for attack in (
        changed_leaf,
        dropped_event,
        shortened_tree,
        old_checkpoint,
        signature_by_another_key,
        grown_but_rewritten_tree,
    ):
        scene.registry.ledger, scene.registry.files = honest.copy(), {}
        attack(scene)
        run = scene.run("mirror", "mirror")
        assert run.code == 5, attack.__name__
    scene.registry.ledger, scene.registry.files = honest, {}
    address = (scene.folder / "mirror").as_uri()
    assert scene.run("resolve", "acme/other@1", TTAG_REGISTRY=address).code == 0


def test_mirror_is_not_begun_with_leaves_that_do_not_belong_to_the_checkpoint(scene: Scene) -> None:
    changed_bundle(scene)
    run = scene.run("mirror", "new")
    assert run.code == 5
    assert "has other events than its checkpoint states" in reported(run)


def test_mirror_holds_no_version_that_the_log_does_not_state(scene: Scene) -> None:
    scene.registry.versions["acme/other"][0]["event"] = EVENT
    run = scene.run("mirror", "new")
    assert run.code == 5
    assert "does not say that acme/other@1.0.0 has the digest" in reported(run)
    assert not (scene.folder / "new" / "mirror.json").exists()
