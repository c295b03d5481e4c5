"""Namespaces and aliases."""

import pytest

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference
from registry.models import Event, Name, User
from registry.services import naming, resolving
from tests.publishing import publish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BOARD = {"kind": "llvm", "mcpu": "haswell"}


def point(alias: str, reference: str, actor: User) -> Name:
    return naming.point_alias(alias, Reference.parse(reference), actor=actor)


def refusal(alias: str, reference: str, actor: User) -> Refused:
    before = Name.objects.count()
    with pytest.raises(Refused) as refused:
        point(alias, reference, actor)
    assert Name.objects.count() == before
    return refused.value


@pytest.mark.parametrize("name", ["", "Acme", "a/b", "a b", "x" * 65, "acme\n"])
def test_namespace_that_is_no_component_is_refused(alice: User, name: str) -> None:
    with pytest.raises(Refused) as refused:
        naming.make_namespace(name, actor=alice)
    assert refused.value.code == Code.REQUEST_INVALID


def test_namespace_is_made_once(alice: User) -> None:
    with pytest.raises(Refused) as refused:
        naming.make_namespace("acme", actor=alice)
    assert refused.value.code == Code.CONFLICT


def test_alias_is_repointed_with_an_event(alice: User) -> None:
    publish("acme/a", BOARD)
    publish("acme/b", BOARD)
    point("acme/alias", "acme/a", alice)
    point("acme/alias", "acme/b@1.0.0", alice)
    assert resolving.resolve(Reference.parse("acme/alias")).exact == "acme/b@1.0.0"
    events = Event.objects.filter(action="alias.pointed", subject="acme/alias")
    assert [event.detail for event in events] == ['{"to": "acme/a"}', '{"to": "acme/b@1.0.0"}']


@pytest.mark.parametrize(
    ("alias", "reference", "code"),
    [
        ("acme/a", "acme/b", Code.CONFLICT),
        ("nowhere/a", "acme/b", Code.NAMESPACE_UNKNOWN),
        ("acme/x", "acme/nothing", Code.TAG_UNKNOWN),
        ("acme/x", "acme/a@9", Code.VERSION_UNKNOWN),
        ("acme/x", "nvidia/a100", Code.CONFLICT),
        ("acme/x y", "acme/a", Code.REFERENCE_INVALID),
        ("acme/x@1", "acme/a", Code.REFERENCE_INVALID),
        ("acme/x%20", "acme/a", Code.REFERENCE_INVALID),
        ("acme", "acme/a", Code.REFERENCE_INVALID),
        ("acme/x.json", "acme/a", Code.REFERENCE_INVALID),
        ("acme/" + "x" * 180, "acme/a", Code.REFERENCE_INVALID),
    ],
)
def test_alias_that_cannot_be_is_refused(
    alice: User, alias: str, reference: str, code: Code
) -> None:
    publish("acme/a", BOARD)
    publish("acme/b", BOARD)
    assert refusal(alias, reference, alice).code == code
