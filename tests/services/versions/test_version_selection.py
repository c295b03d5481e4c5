"""A real registry selects versions as the test vectors say, also by aliases."""

import pytest

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference
from registry.models import Name, Namespace, Tag, User, Version, Withdrawal
from registry.services.versions import resolving
from tests.publishing import WITHOUT_LINTS, publish
from tests.vectors import SelectionCase, selection_cases
from ttag_rules.selectors import NEWEST, Selector
from ttag_rules.version_number import VersionNumber

pytestmark = [pytest.mark.django_db]
TAG, ALIAS = "acme/vectors", "acme/Vectors"


def store(case: SelectionCase, acme: Namespace, alice: User) -> None:
    """Store the versions of a case. Their numbers and digests are given, so none is published."""
    template = publish("acme/template", WITHOUT_LINTS)
    tag = Tag.objects.create(text=TAG, namespace=acme)
    Name.objects.create(text=TAG, tag=tag, namespace=acme, folded="acmevectors", is_alias=False)
    for stated in case.versions:
        version = Version.objects.get(pk=template.pk)
        version.pk, version.tag, version.digest = None, tag, stated["digest"]
        version.major, version.minor, version.patch = VersionNumber.parse(stated["number"]).parts
        version.save(force_insert=True)
        if stated["yanked"]:
            Withdrawal.objects.create(
                version=version, sequence=1, yanked=True, reason="wrong", actor=alice
            )
    if case.alias is not None:
        selector = Selector.read(case.alias) or NEWEST
        major, minor, patch = (*selector.numbers, None, None, None)[:3]
        Name.objects.create(
            text=ALIAS,
            tag=tag,
            namespace=acme,
            folded="acmevectors",
            is_alias=True,
            major=major,
            minor=minor,
            patch=patch,
        )


def resolve(name: str, selector: str) -> resolving.ResolvedReference:
    return resolving.resolve(Reference.parse(f"{name}@{selector}" if selector else name))


@pytest.mark.parametrize("case", selection_cases(), ids=str)
def test_registry_selects_as_the_vectors_say(
    case: SelectionCase, acme: Namespace, alice: User
) -> None:
    store(case, acme, alice)
    name = TAG if case.alias is None else ALIAS
    for selector, number in case.choices.items():
        if number:
            assert resolve(name, selector).exact == f"{TAG}@{number}"
        else:
            with pytest.raises(Refused) as refused:
                resolve(name, selector)
            assert refused.value.code == (Code.VERSION_UNKNOWN if case.versions else "TAG_UNKNOWN")
    for selector in case.refused:
        with pytest.raises(Refused) as refused:
            resolve(name, selector)
        assert refused.value.code == Code.REFERENCE_INVALID
