"""The names in the sitemap."""

import pytest

from registry.domain.reference import Tag as TagName
from registry.models import Namespace, Status, Tag, User
from registry.services.core.permissions import Actor
from registry.services.tags import deprecation, sitemap
from tests.publishing import publish, yank

pytestmark = pytest.mark.django_db

BOARD = {"kind": "llvm", "mcpu": "haswell"}


def test_parts_have_every_tag_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap, "SIZE", 100)
    parts = [sitemap.tags_in_part(part) for part in range(1, sitemap.count_tag_parts() + 1)]
    assert max(map(len, parts)) <= 100
    in_use = Tag.objects.exclude(entry__status=Status.DEPRECATED)
    assert sorted(tag for part in parts for tag in part) == sorted(
        in_use.values_list("text", flat=True)
    )


def test_part_does_not_change_when_tags_are_added(
    acme: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sitemap, "SIZE", 10)
    before = sitemap.tags_in_part(1)
    publish("acme/aaa", BOARD)
    assert sitemap.tags_in_part(1) == before
    assert "acme/aaa" in sitemap.tags_in_part(sitemap.count_tag_parts())


def test_deprecated_tag_is_not_listed(acme: Namespace, alice: User) -> None:
    publish("acme/old", BOARD)
    deprecation.deprecate(TagName.parse("acme/old"), reason="Old", actor=Actor.operator(alice))
    assert "acme/old" not in sitemap.tags_in_part(sitemap.count_tag_parts())


def test_fully_yanked_tag_is_not_listed(acme: Namespace) -> None:
    for tag in ("acme/gone", "acme/half", "acme/half"):
        publish(tag, BOARD | {"num-cores": Tag.objects.count() % 7 + 1})
    yank("acme/gone@1.0.0")
    names = sitemap.tags_in_part(1)
    assert "acme/gone" not in names
    assert "acme/half" in names


def test_parts_have_every_namespace(acme: Namespace, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sitemap.count_namespace_parts() == 1
    assert "acme" in sitemap.namespaces_in_part(1)
    monkeypatch.setattr(sitemap, "SIZE", 1)
    assert sitemap.namespaces_in_part(sitemap.count_namespace_parts()) == ["acme"]
