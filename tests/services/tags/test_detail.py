"""The details of tags and versions."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.reference import Reference
from registry.models import User
from registry.services.core.permissions import Actor
from registry.services.tags import aliases, detail
from tests.publishing import publish, yank

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BOARD = {"kind": "llvm", "mcpu": "haswell"}


def publish_some(count: int, first: int = 1) -> None:
    for cores in range(first, first + count):
        publish("acme/board", BOARD | {"num-cores": cores})


def test_overview_lists_the_newest_versions_and_counts_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detail, "MAX_VERSIONS", 2)
    publish_some(3)
    overview = detail.version_detail(Reference.parse("acme/board@1")).overview
    assert [str(version.number) for version in overview.versions] == ["3.0.0", "2.0.0"]
    assert overview.version_count == 3


@pytest.mark.parametrize("most", [1, 2, 40])
def test_newest_version_is_not_yanked(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(detail, "MAX_VERSIONS", most)
    publish_some(4)
    yank("acme/board@4.0.0")
    yank("acme/board@3.0.0")
    assert str(detail.tag_overview("acme/board").newest) == "acme/board@2.0.0"
    yank("acme/board@2.0.0")
    yank("acme/board@1.0.0")
    assert detail.tag_overview("acme/board").newest is None


def test_overview_lists_the_first_aliases(monkeypatch: pytest.MonkeyPatch, alice: User) -> None:
    monkeypatch.setattr(detail, "MAX_ALIASES", 1)
    publish_some(1)
    for alias in ("acme/b", "acme/a"):
        aliases.point_alias(alias, Reference.parse("acme/board"), actor=Actor.operator(alice))
    overview = detail.tag_overview("acme/a")
    assert (overview.aliases, overview.has_more_aliases) == (("acme/a",), True)


def test_queries_do_not_grow_with_the_number_of_versions() -> None:
    publish_some(1)
    counts = []
    for first in (2, 20):
        with CaptureQueriesContext(connection) as queries:
            detail.version_detail(Reference.parse("acme/board"))
        counts.append(len(queries))
        publish_some(9, first)
    assert counts == [4, 4]
