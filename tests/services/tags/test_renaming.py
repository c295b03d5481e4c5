"""Renaming tags in one transaction."""

import json

import pytest

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag
from registry.models import Event, User, Version
from registry.services.core.permissions import Actor
from registry.services.proposals import review
from registry.services.tags import deprecation, renaming
from registry.services.tags.aliases import point_alias
from registry.services.versions import publishing, resolving
from registry.services.versions.resolving import ResolutionWarning
from tests.publishing import propose, publish, row_counts, yank

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

CPU = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}


def rename(old: str, new: str, alice: User, *aliases: str) -> Version:
    return renaming.rename_tag(
        Tag.parse(old),
        Tag.parse(new),
        reason="another owner",
        aliases=aliases,
        actor=Actor.operator(alice),
    )


def point(alias: str, reference: str, alice: User) -> None:
    point_alias(alias, Reference.parse(reference), actor=Actor.operator(alice))


def warnings(reference: str) -> list[ResolutionWarning]:
    return resolving.resolve(Reference.parse(reference)).warnings


def test_new_tag_has_the_unchanged_newest_body(alice: User) -> None:
    source = '{ "tag": "arm/soc@1",  "host": "arm/soc:aot" }'
    publish("acme/old", CPU)
    publish("acme/old", source)
    version = rename("acme/old", "acme/new", alice)
    assert (version.exact, version.source) == ("acme/new@1.0.0", source)
    assert version.message == "Renamed from acme/old, with the body of acme/old@2.0.0."


def test_old_tag_resolves_with_the_new_one_as_successor(alice: User) -> None:
    publish("acme/old", CPU)
    rename("acme/old", "acme/new", alice)
    (warning,) = warnings("acme/old")
    assert (warning.code, warning.successor) == ("DEPRECATED", "acme/new")
    assert warnings("acme/new") == []


def test_sources_are_kept(alice: User) -> None:
    publishing.publish(
        Tag.parse("acme/old"),
        json.dumps(CPU),
        message="",
        sources=["https://example.com/cpu"],
        expected=None,
        actor=Actor.operator(alice),
    )
    version = rename("acme/old", "acme/new", alice)
    assert json.loads(version.sources) == ["https://example.com/cpu"]


def test_author_of_an_accepted_proposal_keeps_the_credit(alice: User) -> None:
    proposal = propose("acme/old", CPU, by="bob")
    review.accept(proposal.pk, seen=1, actor=Actor.operator(alice))
    version = rename("acme/old", "acme/new", alice)
    stored = Version.objects.get(pk=version.pk)
    assert (stored.author, stored.publisher) == (proposal.submitter, alice)


def test_publisher_of_the_old_version_keeps_the_credit(alice: User) -> None:
    publish("acme/old", CPU)
    carol = User.objects.create_superuser("carol")
    version = rename("acme/old", "acme/new", carol)
    stored = Version.objects.get(pk=version.pk)
    assert (stored.author, stored.publisher) == (alice, carol)


def test_author_who_renames_is_only_the_publisher(alice: User) -> None:
    publish("acme/old", CPU)
    assert rename("acme/old", "acme/new", alice).author is None
    proposal = propose("acme/proposed", CPU | {"num-cores": 8}, by="bob")
    review.accept(proposal.pk, seen=1, actor=Actor.operator(alice))
    bob = User.objects.get(username="bob")
    bob.is_superuser = True
    bob.save()
    assert rename("acme/proposed", "acme/bobs", bob).author is None


def test_only_given_aliases_move(alice: User) -> None:
    publish("acme/old", CPU)
    point("acme/OLD", "acme/old", alice)
    point("acme/Old", "acme/old", alice)
    rename("acme/old", "acme/new", alice, "acme/OLD")
    texts = ("acme/OLD", "acme/Old")
    exact = [resolving.resolve(Reference.parse(text)).exact for text in texts]
    assert exact == ["acme/new@1.0.0", "acme/old@1.0.0"]


def test_newest_version_that_is_not_yanked_is_published(alice: User) -> None:
    publish("acme/old", CPU)
    publish("acme/old", CPU | {"num-cores": 8})
    yank("acme/old@2.0.0")
    assert json.loads(rename("acme/old", "acme/new", alice).source) == CPU


def test_each_write_has_an_event(alice: User) -> None:
    publish("acme/old", CPU)
    point("acme/OLD", "acme/old", alice)
    rename("acme/old", "acme/new", alice, "acme/OLD")
    last = Event.objects.order_by("-number").values_list("action", flat=True)[:3]
    assert list(last) == ["alias.pointed", "tag.deprecated", "version.published"]


@pytest.mark.parametrize(
    ("new", "code", "message"),
    [
        ("acme/old", Code.CONFLICT, "is the current name"),
        ("acme/other", Code.CONFLICT, "The tag acme/other already exists"),
        ("acme/an-alias", Code.CONFLICT, "acme/an-alias is an alias of acme/other"),
        ("nowhere/new", Code.NAMESPACE_UNKNOWN, "There is no namespace nowhere"),
    ],
)
def test_new_name_must_be_free(new: str, code: Code, message: str, alice: User) -> None:
    publish("acme/old", CPU)
    publish("acme/other", CPU | {"num-cores": 2})
    point("acme/an-alias", "acme/other", alice)
    before = row_counts()
    with pytest.raises(Refused, match=message) as refused:
        rename("acme/old", new, alice)
    assert refused.value.code is code
    assert row_counts() == before


def test_error_for_a_deprecated_tag_names_the_successor(alice: User) -> None:
    publish("acme/old", CPU)
    rename("acme/old", "acme/new", alice)
    with pytest.raises(Refused, match=r"already deprecated: another owner\. Use acme/new\."):
        rename("acme/old", "acme/newer", alice)


def test_fully_yanked_tag_is_rejected(alice: User) -> None:
    publish("acme/old", CPU)
    yank("acme/old@1.0.0")
    with pytest.raises(Refused, match="Every version of acme/old is yanked") as refused:
        rename("acme/old", "acme/new", alice)
    assert refused.value.code is Code.CONFLICT


def test_error_for_an_unknown_tag_has_suggestions(alice: User) -> None:
    publish("acme/old", CPU)
    with pytest.raises(Refused) as refused:
        rename("acme/olds", "acme/new", alice)
    assert (refused.value.code, refused.value.suggestions) == (Code.TAG_UNKNOWN, ("acme/old",))


@pytest.mark.parametrize("alias", ["acme/fixed", "acme/foreign", "acme/none", "acme/old"])
def test_alias_that_does_not_float_to_the_tag_rolls_back_all(alias: str, alice: User) -> None:
    publish("acme/old", CPU)
    publish("acme/other", CPU | {"num-cores": 2})
    point("acme/fixed", "acme/old@1", alice)
    point("acme/foreign", "acme/other", alice)
    before = row_counts()
    with pytest.raises(Refused, match=f"{alias} is not a floating alias of acme/old") as refused:
        rename("acme/old", "acme/new", alice, alias)
    assert refused.value.faults[0].pointer == "/aliases"
    assert row_counts() == before


def test_invalid_reason_rolls_back_all(alice: User) -> None:
    publish("acme/old", CPU)
    before = row_counts()
    with pytest.raises(Refused) as refused:
        renaming.rename_tag(
            Tag.parse("acme/old"), Tag.parse("acme/new"), reason=" ", actor=Actor.operator(alice)
        )
    assert refused.value.faults[0].pointer == "/reason"
    assert row_counts() == before


def test_renaming_can_be_undone(alice: User) -> None:
    publish("acme/old", CPU)
    rename("acme/old", "acme/new", alice)
    deprecation.undeprecate(
        Tag.parse("acme/old"), reason="renamed by mistake", actor=Actor.operator(alice)
    )
    assert warnings("acme/old") == []
