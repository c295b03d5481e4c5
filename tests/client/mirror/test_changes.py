"""What leaves say that events change in a mirror."""

from typing import Any

import pytest

from ttag import Unreachable
from ttag.canonical_json import canonical
from ttag.mirror.changes import UNTOLD, WITHOUT_EFFECT, Changes, Unfit
from ttag.mirror.documents import MirroredVersion

DIGEST = f"sha256:{'0' * 64}"


class Board:
    """A mirror with two versions of one tag."""

    def exact_references(self, tag: str) -> list[str]:
        return [f"{tag}@1.0.0", f"{tag}@1.1.0"] if tag == "acme/board" else []


def leaf(number: int, action: str, **members: Any) -> bytes:
    return canonical({"event": number, "action": action, "time": "2026-11-28", **members})


def since(*actions: tuple[str, dict[str, Any]]) -> Changes:
    leaves = [leaf(8 + place, action, **members) for place, (action, members) in enumerate(actions)]
    return Changes.since(7, leaves)


def version(status: str) -> MirroredVersion:
    return MirroredVersion({"version": "1.0.0", "digest": DIGEST, "status": status})


BOARD = {"tag": "acme/board", "version": "1.0.0"}


def test_publication_changes_one_version() -> None:
    changes = since(("version.published", BOARD | {"digest": DIGEST}))
    assert changes.references(Board()) == {"acme/board@1.0.0"}
    assert changes.lines == [("acme", "event 8: version.published acme/board@1.0.0")]
    assert changes.event == 8


def test_deprecation_changes_every_version_of_the_tag() -> None:
    changes = since(("tag.deprecated", {"tag": "acme/board", "successor": None}))
    assert changes.references(Board()) == {"acme/board@1.0.0", "acme/board@1.1.0"}


@pytest.mark.parametrize(
    ("action", "members"),
    [
        ("version.published", {"version": "1.0.0", "digest": DIGEST}),
        ("version.yanked", {"version": "1.0.0"}),
        ("tag.deprecated", {"successor": None}),
        ("tag.family_set", {"family": True}),
    ],
)
def test_what_happens_to_a_variant_changes_its_plain_tag(
    action: str, members: dict[str, Any]
) -> None:
    changes = since((action, {"tag": "acme/board:cuda", **members}))
    assert changes.references(Board()) >= {"acme/board@1.0.0", "acme/board@1.1.0"}


def test_last_of_several_events_counts() -> None:
    changes = since(
        ("version.yanked", BOARD),
        ("version.unyanked", BOARD),
        ("alias.pointed", {"alias": "acme/Board", "to": "acme/board@1"}),
        ("alias.pointed", {"alias": "acme/Board", "to": "acme/card"}),
    )
    assert changes.withdrawn == {"acme/board@1.0.0": False}
    assert changes.aliases == {"acme/Board": "acme/card"}


@pytest.mark.parametrize("action", sorted(WITHOUT_EFFECT - {"private"}))
def test_other_events_only_move_the_position(action: str) -> None:
    changes = since((action, {}))
    assert (changes.references(Board()), changes.lines, changes.event) == (set(), [], 8)


def test_private_event_does_not_move_the_position() -> None:
    """A registry's feed does not show it, so a full run stops before it, too."""
    assert since(("private", {})).event == 7


@pytest.mark.parametrize("action", [*sorted(UNTOLD), "tag.renamed", "version.published"])
def test_what_leaves_do_not_tell_is_left_to_a_full_run(action: str) -> None:
    with pytest.raises(Unfit, match="event 8"):
        since((action, {}))


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"event": 8}', b'{"action":"private" }'])
def test_leaf_that_is_none_is_left_to_a_full_run(data: bytes) -> None:
    with pytest.raises(Unfit, match="event 8 is unknown"):
        Changes.since(7, [data])


@pytest.mark.parametrize(("action", "older"), [("yanked", "active"), ("unyanked", "yanked")])
def test_answer_from_before_the_event_is_refused(action: str, older: str) -> None:
    changes = since((f"version.{action}", BOARD))
    with pytest.raises(Unreachable, match=r"event 8 has made of acme/board@1\.0\.0"):
        changes.refuse_older("acme/board@1.0.0", version(older))
    changes.refuse_older("acme/board@1.0.0", version("yanked" if older == "active" else "active"))
    changes.refuse_older("acme/card@1.0.0", version("yanked"))
