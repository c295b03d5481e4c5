"""Tags and aliases, as staff keeps them."""

import json

import pytest

from registry.domain.reference import Tag as TagName
from registry.models import Name, Namespace, Tag
from registry.services.core.permissions import Actor
from registry.services.tags import deprecation
from tests.admin.conftest import Desk, last_event
from tests.publishing import publish, yank

BOARD = {"kind": "llvm", "mcpu": "haswell"}


@pytest.fixture
def board(acme: Namespace) -> Tag:
    """A tag with one version."""
    return publish("acme/board", BOARD).tag


def test_search_forgives_and_finds_aliases(desk: Desk) -> None:
    rows = desk.see("registry/tag/", q="JETSON nano").rows
    assert any(row.startswith("nvidia/jetson-nano ") for row in rows)
    aliases = Name.objects.filter(is_alias=True).select_related("tag")
    alias = aliases.exclude(tag__text__contains="geforce").first()
    assert alias is not None
    assert any(
        row.startswith(alias.tag.text) for row in desk.see("registry/tag/", q=alias.text).rows
    )


def test_filters_narrow_by_namespace_kind_and_status(desk: Desk, board: Tag) -> None:
    publish("acme/chip", {"kind": "cuda", "arch": "sm_90"})
    publish("acme/patch", {"num-cores": 2})
    publish("acme/gone", BOARD)
    yank("acme/gone@1.0.0")

    def found(**narrowed: str) -> list[str]:
        rows = desk.see("registry/tag/", namespace="acme", **narrowed).rows
        return [row.split()[0] for row in rows]

    assert found() == ["acme/board", "acme/chip", "acme/gone", "acme/patch"]
    assert found(kind="cuda") == ["acme/chip"]
    assert found(kind="mixin") == ["acme/patch"]
    assert found(status="yanked") == ["acme/gone"]
    assert found(status="nonsense") == []
    assert found(q="chip") == ["acme/chip"]


@pytest.mark.parametrize("value", ["\x00", "a" * 1000, "no-such", "'; --"])
def test_what_can_be_no_name_finds_nothing(desk: Desk, value: str) -> None:
    answer = desk.see("registry/tag/", namespace=value)
    assert (answer.status, answer.rows) == (200, [])


def test_page_shows_names_versions_and_ways_on(desk: Desk, board: Tag) -> None:
    desk.send("registry/name/add/", text="acme/plank", reference="acme/board@1")
    page = desk.see(f"registry/tag/{board.pk}/change/")
    assert "acme/plank" in page.text
    assert "1.0.0" in page.text
    assert "/tags/acme/board" in page.links
    assert "/api/v1/tags/acme/board" in page.links


def test_deprecating_names_a_successor(desk: Desk, board: Tag) -> None:
    publish("acme/newer", BOARD)
    assert "undeprecate" not in desk.see(f"registry/tag/{board.pk}/change/").html
    answer = desk.send(
        f"registry/tag/{board.pk}/deprecate/", reason="too old", successor="acme/newer"
    )
    assert "acme/board is deprecated." in answer.text
    assert "too old" in answer.text
    detail = json.loads(last_event().detail)
    assert (detail["reason"], detail["successor"]) == ("too old", "acme/newer")
    assert (detail["before"]["status"], detail["after"]["status"]) == ("active", "deprecated")
    assert "deprecated" in desk.see("registry/tag/", status="deprecated").rows[0]
    desk.send(f"registry/tag/{board.pk}/undeprecate/", reason="not yet")
    assert last_event().action == "tag.undeprecated"


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ({"reason": "", "successor": ""}, "This field is required."),
        ({"reason": "old\x07", "successor": ""}, "U+0007"),
        ({"reason": "old", "successor": "acme/boardd"}, "Did you mean acme/board"),
        ({"reason": "old", "successor": "ACME"}, "Successor"),
        ({"reason": "old", "successor": "acme/board"}, "cannot succeed itself"),
        ({"reason": "x" * 501, "successor": ""}, "501 characters are too many"),
    ],
)
def test_a_refused_deprecation_keeps_what_was_typed(
    desk: Desk, board: Tag, typed: dict[str, str], told: str
) -> None:
    answer = desk.send(f"registry/tag/{board.pk}/deprecate/", **typed)
    assert answer.status >= 400
    assert told in answer.text
    assert f'value="{typed["successor"]}"' in answer.html or not typed["successor"]
    assert not board.deprecations.exists()


def test_deprecating_twice_is_in_conflict(desk: Desk, board: Tag) -> None:
    deprecation.deprecate(
        TagName.parse("acme/board"), reason="old", actor=Actor.operator(desk.user)
    )
    answer = desk.send(f"registry/tag/{board.pk}/deprecate/", reason="old", successor="")
    assert answer.status == 409
    assert "acme/board is deprecated already." in answer.text


def test_alias_is_added_repointed_and_remembers(desk: Desk, board: Tag) -> None:
    publish("acme/board", BOARD | {"num-cores": 4})
    desk.send("registry/name/add/", text="acme/plank", reference="acme/board@1")
    alias = Name.objects.get(text="acme/plank")
    form = desk.see(f"registry/name/{alias.pk}/repoint/")
    assert 'value="acme/board@1"' in form.html
    answer = desk.send(f"registry/name/{alias.pk}/repoint/", reference="acme/board@2")
    assert "acme/plank points at acme/board@2." in answer.text
    page = desk.see(f"registry/name/{alias.pk}/change/")
    assert page.text.index("acme/board@2") < page.text.rindex("acme/board@1")
    assert desk.see("registry/name/", q="PLANK").rows == ["acme/plank acme/board@2"]


@pytest.mark.parametrize(
    ("alias", "reference", "told"),
    [
        ("acme/board", "nvidia/jetson-nano", "acme/board is a tag"),
        ("nowhere/x", "acme/board", "There is no namespace nowhere."),
        ("acme/x", "acme/boardd", "Did you mean acme/board"),
        ("acme/x", "???", "Points at"),
        ("acme/x y", "acme/board", "acme/x y"),
    ],
)
def test_a_refused_alias_keeps_what_was_typed(
    desk: Desk, board: Tag, alias: str, reference: str, told: str
) -> None:
    answer = desk.send("registry/name/add/", text=alias, reference=reference)
    assert answer.status >= 400
    assert told in answer.text
    assert f'value="{alias}"' in answer.html
    assert f'value="{reference}"' in answer.html


def test_own_names_are_no_aliases(desk: Desk, board: Tag) -> None:
    own = Name.objects.get(text="acme/board")
    assert "have no row" in desk.send(f"registry/name/{own.pk}/repoint/", reference="a/b").text
