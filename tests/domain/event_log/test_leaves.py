"""The leaf of each action, byte by byte: none may ever change."""

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from registry.domain.event_log.leaves import MEMBERS, LoggedEvent, leaf
from ttag_rules.names import MAX_TAG

TIME = "2026-11-24T12:00:00.123456Z"
NOON = datetime(2026, 11, 24, 12, 0, 0, 123456, tzinfo=UTC)
SECRET = "what a person wrote"
DIGEST = f"sha256:{'0' * 64}"
# What no leaf may state, in the detail of every event.
PROSE = {
    **dict.fromkeys(("reason", "message", "user", "was_text", "claims", "title", "text"), SECRET),
    "rows": {"registry.version": [1]},
    "digests": {DIGEST: DIGEST},
}
KIND = {"kind": "llvm", "revision": 2, "digest": DIGEST}
FORK = {"origin": "r/log/2", "was": "r/log", "size": 9, "root": "AA="}
EXACT = {"tag": "acme/board:aot", "version": "1.2.0"}
# By action: the subject, the detail, and what the leaf states of them.
LEAVES: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "alias.pointed": (
        "acme/GPU,1",
        {"to": "acme/board@1", "was": "acme/old"},
        {"alias": "acme/GPU,1", "to": "acme/board@1"},
    ),
    "kind.redacted": ("llvm", {"revision": 2, "digest": DIGEST}, KIND),
    "kind.revised": ("llvm", {"revision": 2, "digest": DIGEST, "before": 1}, KIND),
    "lints.replaced": ("lints", {"versions": 3}, {}),
    "log.forked": ("r/log/2", FORK, FORK),
    "log.key_rotated": ("r/log", {"key": "r/log+00+AA="}, {"key": "r/log+00+AA="}),
    "tag.deprecated": (
        "acme/board",
        {"successor": "acme/new"},
        {"tag": "acme/board", "successor": "acme/new"},
    ),
    "tag.undeprecated": (
        "acme/board",
        {"successor": None},
        {"tag": "acme/board", "successor": None},
    ),
    "tag.family_set": (
        "acme/board",
        {"after": {"family": True}},
        {"tag": "acme/board", "family": True},
    ),
    "text.redacted": ("text", {}, {}),
    "version.published": ("acme/board:aot@1.2.0", {"digest": DIGEST}, {**EXACT, "digest": DIGEST}),
    "version.redacted": ("acme/board:aot@1.2.0", {"digest": DIGEST}, {**EXACT, "digest": DIGEST}),
    "version.yanked": ("acme/board:aot@1.2.0", {"before": "active"}, EXACT),
    "version.unyanked": ("acme/board:aot@1.2.0", {"before": "yanked"}, EXACT),
}
PRIVATE = [action for action in MEMBERS if action.startswith(("account.", "token."))]
OF_TAGS = [action for action in MEMBERS if action.startswith("proposal.")]
OF_NAMESPACE = ("namespace.", "member.", "publisher.", "webhook.", "request.", "change.")
OF_NAMESPACES = [action for action in MEMBERS if action.startswith(OF_NAMESPACE)]


def event(action: str, subject: str, detail: dict[str, Any]) -> LoggedEvent:
    return LoggedEvent(7, NOON, action, subject, "acme", {**PROSE, **detail})


def canonical(members: dict[str, Any]) -> bytes:
    return json.dumps(members, separators=(",", ":"), sort_keys=True).encode()


def test_every_action_has_a_leaf_here() -> None:
    listed = [*LEAVES, *PRIVATE, *OF_TAGS, *OF_NAMESPACES]
    missing = MEMBERS.keys() - {*listed}
    assert not missing, "state its leaf in LEAVES of tests/domain/event_log/test_leaves.py"
    assert sorted(listed) == sorted(MEMBERS)


@pytest.mark.parametrize("action", LEAVES)
def test_leaf_of_an_action(action: str) -> None:
    subject, detail, stated = LEAVES[action]
    expected = {"event": 7, "time": TIME, "action": action, **stated}
    assert leaf(event(action, subject, detail)) == canonical(expected)


@pytest.mark.parametrize(
    ("actions", "members"),
    [(OF_TAGS, {"tag": "acme/board"}), (OF_NAMESPACES, {"namespace": "acme"})],
)
def test_leaves_of_people_state_the_tag_or_the_namespace(
    actions: list[str], members: dict[str, str]
) -> None:
    for action in actions:
        stated = json.loads(leaf(event(action, "acme/board", {})))
        assert stated == {
            "event": 7,
            "time": TIME,
            "action": action,
            **members,
        }


@pytest.mark.parametrize("action", PRIVATE)
def test_private_leaf_states_number_and_time_only(action: str) -> None:
    assert json.loads(leaf(event(action, "alice", {}))) == {
        "event": 7,
        "time": TIME,
        "action": "private",
    }


@pytest.mark.parametrize("action", MEMBERS)
def test_no_leaf_states_what_a_person_wrote(action: str) -> None:
    subject, detail, _ = LEAVES.get(action, ("acme/board", {}, {}))
    assert SECRET.encode() not in leaf(event(action, subject, detail))
    others = {key: f"{value}, redacted" for key, value in PROSE.items()}
    assert leaf(event(action, subject, {**others, **detail})) == leaf(
        event(action, subject, detail)
    )


def test_time_is_in_utc_with_six_digits() -> None:
    east = timezone(timedelta(hours=2))
    whole = LoggedEvent(1, datetime(2026, 11, 24, 14, tzinfo=east), "text.redacted", "text", "", {})
    assert leaf(whole) == (
        b'{"action":"text.redacted","event":1,"time":"2026-11-24T12:00:00.000000Z"}'
    )


def test_event_of_release_0_1_says_so() -> None:
    published = event("version.published", "acme/board@1.0.0", {"digest": DIGEST})
    marked = json.loads(leaf(published, is_backfilled=True))
    assert marked == {**json.loads(leaf(published)), "backfilled": True}


def test_unknown_action_has_no_leaf() -> None:
    with pytest.raises(KeyError):
        leaf(event("version.forgotten", "acme/board@1.0.0", {}))


def test_largest_leaf_fits_into_a_bundle() -> None:
    longest = "\N{FULL BLOCK}" * MAX_TAG
    detail = {"to": longest, "successor": longest, "digest": DIGEST, "key": longest, "was": longest}
    sizes = [len(leaf(event(action, longest, detail))) for action in MEMBERS]
    assert max(sizes) < 65_535 / 10, "a bundle has 16 bits for the length"
