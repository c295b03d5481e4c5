"""Tags with identical targets, and families, whose members may have them."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.reference import Tag
from registry.models import User
from registry.services.core.permissions import Actor
from registry.services.versions import families
from registry.services.versions.twins import TargetOfTag, find_twins
from tests.publishing import publish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

CPU = {"kind": "c", "mcpu": "cortex-m7", "model": "twin"}


def twins(tag: str, digest: str, *ancestors: str) -> tuple[str, ...]:
    (lints,) = find_twins([TargetOfTag(digest, Tag.parse(tag), ancestors)])
    return lints[0].suggestions if lints else ()


def mark(tag: str) -> None:
    actor = Actor.operator(User.objects.get(username="alice"))
    families.set_family(Tag.parse(tag), is_family=True, actor=actor)


def test_other_tags_are_named_but_not_variants() -> None:
    digest = publish("acme/a", CPU).digest
    publish("acme/a:b", CPU)
    publish("acme/z", CPU)
    assert twins("acme/a", digest) == ("acme/z",)
    assert twins("acme/z", digest) == ("acme/a", "acme/a:b")
    assert twins("acme/new", digest) == ("acme/a", "acme/a:b", "acme/z")


def test_members_of_a_family_may_be_identical() -> None:
    publish("acme/all", {"kind": "c", "mcpu": "cortex-m7"})
    digest = publish("acme/one", {"tag": "acme/all", "model": "same"}).digest
    publish("acme/two", {"tag": "acme/all", "model": "same"})
    assert twins("acme/one", digest, "acme/all@1.0.0") == ("acme/two",)
    mark("acme/all")
    assert twins("acme/one", digest, "acme/all@1.0.0") == ()
    assert twins("acme/stranger", digest) == ("acme/one", "acme/two")


def test_a_family_and_its_member_may_be_identical() -> None:
    digest = publish("acme/all", CPU).digest
    publish("acme/one", {"tag": "acme/all"})
    assert twins("acme/one", digest, "acme/all@1.0.0") == ("acme/all",)
    mark("acme/all")
    assert twins("acme/one", digest, "acme/all@1.0.0") == ()
    assert twins("acme/all", digest) == ()


def test_more_than_five_are_no_lint() -> None:
    for number in range(5):
        digest = publish(f"acme/cpu-{number}", CPU).digest
    assert len(twins("acme/new", digest)) == 5
    publish("acme/cpu-5", CPU)
    assert twins("acme/new", digest) == ()


def test_one_query_for_any_number_of_targets() -> None:
    digests = [publish(f"acme/cpu-{n}", CPU | {"model": f"m{n // 2}"}).digest for n in range(6)]
    for some in (digests[:1], digests):
        targets = [TargetOfTag(digest, Tag.parse("acme/new"), ()) for digest in some]
        with CaptureQueriesContext(connection) as captured:
            lints = find_twins(targets)
        assert len(captured) == 1
        assert all(lints)
