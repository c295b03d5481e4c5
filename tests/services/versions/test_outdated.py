"""Outdated versions and their updates."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag
from registry.models import User, Version
from registry.services.core.permissions import Actor
from registry.services.tags import aliases
from registry.services.versions import outdated
from tests.publishing import publish, yank

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

CPU = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}
NEXT = CPU | {"num-cores": 8}


def moves(tag: str) -> list[tuple[str, str, str]]:
    version = Version.objects.filter(tag__text=tag).select_related("tag").latest("pk")
    return [(move.requested, move.old, move.new) for move in outdated.moved_references(version)]


def test_floating_reference_to_a_newer_parent_is_outdated() -> None:
    publish("acme/cpu", CPU)
    publish("acme/board", {"tag": "acme/cpu"})
    assert moves("acme/board") == []
    publish("acme/cpu", NEXT)
    assert moves("acme/board") == [("acme/cpu", "acme/cpu@1.0.0", "acme/cpu@2.0.0")]


@pytest.mark.parametrize("reference", ["acme/cpu@1", "acme/cpu@1.0", "acme/cpu@1.0.0"])
def test_reference_that_excludes_the_newer_parent_is_not_outdated(reference: str) -> None:
    publish("acme/cpu", CPU)
    publish("acme/board", {"tag": reference})
    publish("acme/cpu", NEXT)
    assert moves("acme/board") == []


def test_reference_through_a_moved_alias_is_outdated(alice: User) -> None:
    publish("acme/cpu", CPU)
    publish("acme/other", NEXT)
    aliases.point_alias("acme/c", Reference.parse("acme/cpu"), actor=Actor.operator(alice))
    publish("acme/board", {"tag": "acme/c"})
    aliases.point_alias("acme/c", Reference.parse("acme/other"), actor=Actor.operator(alice))
    assert moves("acme/board") == [("acme/c", "acme/cpu@1.0.0", "acme/other@1.0.0")]


def test_reference_to_a_fully_yanked_parent_moves_to_nothing() -> None:
    publish("acme/cpu", CPU)
    publish("acme/board", {"tag": "acme/cpu"})
    yank("acme/cpu@1.0.0")
    assert moves("acme/board") == [("acme/cpu", "acme/cpu@1.0.0", "")]


def test_one_query_for_any_number_of_references() -> None:
    publish("acme/cpu", CPU)
    publish("acme/alone", {"tag": "acme/cpu@1.0.0"})
    publish("acme/one", {"tag": "acme/cpu"})
    devices = {f"d{i}": {"tag": "acme/cpu", "num-cores": i + 1} for i in range(40)}
    publish("acme/many", {"kind": "composite", "devices": devices})
    for tag, expected in (("acme/alone", 0), ("acme/one", 1), ("acme/many", 1)):
        version = Version.objects.select_related("tag").get(tag__text=tag)
        with CaptureQueriesContext(connection) as queries:
            outdated.moved_references(version)
        assert len(queries) == expected


def test_update_is_a_new_draft_of_the_source() -> None:
    publish("acme/cpu", CPU)
    publish("acme/board", {"tag": "acme/cpu", "model": "x"})
    publish("acme/cpu", NEXT)
    update = outdated.compute_update(Tag.parse("acme/board"))
    draft = update.redraft.draft
    assert draft is not None
    assert (str(draft.number), draft.bump) == ("2.0.0", "MAJOR")
    assert [change.pointer for change in draft.diff] == ["/num-cores"]
    assert (update.version.exact, str(update.last_published)) == ("acme/board@1.0.0", "1.0.0")


def test_update_of_a_fully_yanked_tag_is_rejected() -> None:
    publish("acme/cpu", CPU)
    yank("acme/cpu@1.0.0")
    with pytest.raises(Refused) as refused:
        outdated.compute_update(Tag.parse("acme/cpu"))
    assert refused.value.code is Code.VERSION_UNKNOWN
