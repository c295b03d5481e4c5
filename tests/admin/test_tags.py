"""Tests of tags and aliases in the admin."""

import json

import pytest

from registry.domain.reference import Tag as TagName
from registry.models import Name, Namespace, Tag
from registry.services.core.permissions import Actor
from registry.services.tags import deprecation
from tests.admin.conftest import AdminClient, last_event
from tests.publishing import publish, yank

BOARD = {"kind": "llvm", "mcpu": "haswell"}


@pytest.fixture
def board(acme: Namespace) -> Tag:
    """A tag with one version."""
    return publish("acme/board", BOARD).tag


def test_search_ignores_case_and_finds_aliases(superuser: AdminClient) -> None:
    rows = superuser.get("registry/tag/", q="JETSON nano").rows
    assert any(row.startswith("nvidia/jetson-nano ") for row in rows)
    aliases = Name.objects.filter(is_alias=True).select_related("tag")
    alias = aliases.exclude(tag__text__contains="geforce").first()
    assert alias is not None
    assert any(
        row.startswith(alias.tag.text) for row in superuser.get("registry/tag/", q=alias.text).rows
    )


@pytest.mark.parametrize(
    ("query", "is_found"),
    [
        ("a-b-c-d-e-f-g-h-i", True),
        ("i h g f e d c b a", True),
        ("a b c d e f g h x9", False),  # no word counts for nothing
        ("a " * 4000, True),
        (" ".join(map(str, range(200))), False),  # no name has as many characters
        ("!", False),
    ],
)
def test_every_word_of_a_search_counts(
    superuser: AdminClient, acme: Namespace, query: str, is_found: bool
) -> None:
    publish("acme/a-b-c-d-e-f-g-h-i", BOARD)
    rows = superuser.get("registry/tag/", q=query).rows
    assert any(row.startswith("acme/a-b-c-d-e-f-g-h-i ") for row in rows) is is_found


def test_tags_can_be_filtered_by_namespace_kind_and_status(
    superuser: AdminClient, board: Tag
) -> None:
    publish("acme/chip", {"kind": "cuda", "arch": "sm_90"})
    publish("acme/patch", {"num-cores": 2})
    publish("acme/gone", BOARD)
    yank("acme/gone@1.0.0")

    def tags(**filters: str) -> list[str]:
        rows = superuser.get("registry/tag/", namespace="acme", **filters).rows
        return [row.split()[0] for row in rows]

    assert tags() == ["acme/board", "acme/chip", "acme/gone", "acme/patch"]
    assert tags(kind="cuda") == ["acme/chip"]
    assert tags(kind="mixin") == ["acme/patch"]
    assert tags(status="yanked") == ["acme/gone"]
    assert tags(status="nonsense") == []
    assert tags(q="chip") == ["acme/chip"]


@pytest.mark.parametrize("value", ["\x00", "a" * 1000, "no-such", "'; --"])
def test_invalid_or_unknown_namespace_matches_nothing(superuser: AdminClient, value: str) -> None:
    answer = superuser.get("registry/tag/", namespace=value)
    assert (answer.status, answer.rows) == (200, [])


def test_page_shows_aliases_versions_and_links(superuser: AdminClient, board: Tag) -> None:
    superuser.post("registry/name/add/", text="acme/plank", reference="acme/board@1")
    page = superuser.get(f"registry/tag/{board.pk}/change/")
    assert "acme/plank" in page.text
    assert "1.0.0" in page.text
    assert "/tags/acme/board" in page.links
    assert "/api/v1/tags/acme/board" in page.links


def test_tag_can_be_deprecated_with_a_successor(superuser: AdminClient, board: Tag) -> None:
    publish("acme/newer", BOARD)
    assert "undeprecate" not in superuser.get(f"registry/tag/{board.pk}/change/").html
    answer = superuser.post(
        f"registry/tag/{board.pk}/deprecate/", reason="too old", successor="acme/newer"
    )
    assert "acme/board is deprecated." in answer.text
    assert "too old" in answer.text
    detail = json.loads(last_event().detail)
    assert (detail["reason"], detail["successor"]) == ("too old", "acme/newer")
    assert (detail["before"]["status"], detail["after"]["status"]) == ("active", "deprecated")
    assert "deprecated" in superuser.get("registry/tag/", status="deprecated").rows[0]
    superuser.post(f"registry/tag/{board.pk}/undeprecate/", reason="not yet")
    assert last_event().action == "tag.undeprecated"


def test_tag_can_be_marked_as_a_family_and_as_none(superuser: AdminClient, board: Tag) -> None:
    answer = superuser.post(f"registry/tag/{board.pk}/mark-family/")
    assert "acme/board is a family." in answer.text
    assert last_event().action == "tag.family_set"
    assert "mark-family" in superuser.get(f"registry/tag/{board.pk}/change/").html
    answer = superuser.post(f"registry/tag/{board.pk}/unmark-family/")
    assert "acme/board is no family." in answer.text


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"reason": "", "successor": ""}, "Enter the reason."),
        ({"reason": "old\x07", "successor": ""}, "U+0007"),
        ({"reason": "old", "successor": "acme/boardd"}, "Did you mean acme/board"),
        ({"reason": "old", "successor": "ACME"}, "Successor"),
        ({"reason": "old", "successor": "acme/board"}, "cannot be its own successor"),
        ({"reason": "x" * 501, "successor": ""}, "501 characters are too many"),
    ],
)
def test_rejected_deprecation_keeps_the_input(
    superuser: AdminClient, board: Tag, data: dict[str, str], message: str
) -> None:
    answer = superuser.post(f"registry/tag/{board.pk}/deprecate/", **data)
    assert answer.status >= 400
    assert message in answer.text
    assert f'value="{data["successor"]}"' in answer.html or not data["successor"]
    assert not board.deprecations.exists()


def test_deprecated_tag_cannot_be_deprecated_again(superuser: AdminClient, board: Tag) -> None:
    deprecation.deprecate(
        TagName.parse("acme/board"), reason="old", actor=Actor.operator(superuser.user)
    )
    answer = superuser.post(f"registry/tag/{board.pk}/deprecate/", reason="old", successor="")
    assert answer.status == 409
    assert "acme/board is already deprecated." in answer.text


def test_alias_is_created_and_repointed_with_its_history(
    superuser: AdminClient, board: Tag
) -> None:
    publish("acme/board", BOARD | {"num-cores": 4})
    superuser.post("registry/name/add/", text="acme/plank", reference="acme/board@1")
    alias = Name.objects.get(text="acme/plank")
    form = superuser.get(f"registry/name/{alias.pk}/repoint/")
    assert 'value="acme/board@1"' in form.html
    new = {"reference": "acme/board@2", "expected": "acme/board@1"}
    answer = superuser.post(f"registry/name/{alias.pk}/repoint/", **new)
    assert "acme/plank points to acme/board@2." in answer.text
    page = superuser.get(f"registry/name/{alias.pk}/change/")
    assert page.text.index("acme/board@2") < page.text.rindex("acme/board@1")
    assert superuser.get("registry/name/", q="PLANK").rows == ["acme/plank acme/board@2"]


def test_an_alias_that_exists_is_not_added_again(superuser: AdminClient, board: Tag) -> None:
    superuser.post("registry/name/add/", text="acme/plank", reference="acme/board@1")
    answer = superuser.post("registry/name/add/", text="acme/plank", reference="acme/board")
    assert answer.status == 412
    assert "acme/plank exists: it points at acme/board@1." in answer.text
    assert Name.objects.get(text="acme/plank").major == 1


def test_an_alias_that_others_have_repointed_is_not_overwritten(
    superuser: AdminClient, board: Tag
) -> None:
    superuser.post("registry/name/add/", text="acme/plank", reference="acme/board@1")
    alias = Name.objects.get(text="acme/plank")
    path = f"registry/name/{alias.pk}/repoint/"
    seen = {"expected": "acme/board@1"}
    superuser.post(path, reference="acme/board", **seen)
    answer = superuser.post(path, reference="acme/board@1.0", **seen)
    assert answer.status == 412
    assert "it points at acme/board, not at acme/board@1." in answer.text
    assert 'name="expected" value="acme/board"' in answer.html
    assert 'value="acme/board@1.0"' in answer.html
    assert str(Name.objects.get(text="acme/plank").selector) == ""


@pytest.mark.parametrize(
    ("alias", "reference", "message"),
    [
        ("acme/board", "nvidia/jetson-nano", "acme/board is the name of a tag"),
        ("nowhere/x", "acme/board", "There is no namespace nowhere."),
        ("acme/x", "acme/boardd", "Did you mean acme/board"),
        ("acme/x", "???", "Points to"),
        ("acme/x y", "acme/board", "acme/x y"),
    ],
)
def test_rejected_alias_keeps_the_input(
    superuser: AdminClient, board: Tag, alias: str, reference: str, message: str
) -> None:
    answer = superuser.post("registry/name/add/", text=alias, reference=reference)
    assert answer.status >= 400
    assert message in answer.text
    assert f'value="{alias}"' in answer.html
    assert f'value="{reference}"' in answer.html


def test_names_of_tags_are_not_aliases(superuser: AdminClient, board: Tag) -> None:
    name = Name.objects.get(text="acme/board")
    page = superuser.post(f"registry/name/{name.pk}/repoint/", reference="a/b")
    assert "there is no row" in page.text
