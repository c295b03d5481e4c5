"""Tags with identical targets, and families, whose members may have them."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.reference import Tag
from registry.models import User
from registry.services.core.permissions import Actor
from registry.services.versions import families, twins as module
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


@pytest.mark.parametrize(("limit", "is_named"), [(3, True), (2, False)])
def test_target_of_more_versions_than_are_compared_draws_no_lint(
    monkeypatch: pytest.MonkeyPatch, limit: int, is_named: bool
) -> None:
    monkeypatch.setattr(module, "MAX_CANDIDATES", limit)
    for number in range(3):
        digest = publish(f"acme/cpu-{number}", CPU).digest
    assert len(twins("acme/new", digest)) == (3 if is_named else 0)


def test_target_of_many_versions_hides_no_twin_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_CANDIDATES", 2)
    for number in range(3):
        many = publish(f"acme/cpu-{number}", CPU).digest
    few = publish("acme/other", CPU | {"model": "other"}).digest
    targets = [TargetOfTag(digest, Tag.parse("acme/new"), ()) for digest in (many, few)]
    with CaptureQueriesContext(connection) as queries:
        lints = find_twins(targets)
    assert [[lint.suggestions for lint in each] for each in lints] == [[], [("acme/other",)]]
    assert len(queries) == 1
