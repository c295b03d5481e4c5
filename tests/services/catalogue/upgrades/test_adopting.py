"""Adopting names that others have changed."""

import pytest
from django.core.management import CommandError, call_command

from registry.models import User
from registry.services.catalogue import loading
from registry.services.core import shipped_facts
from registry.services.core.permissions import Actor
from registry.services.kinds import kinds
from tests.publishing import written
from tests.services.catalogue.upgrades.catalogues import Catalogue

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("lvm", r"Nothing that ships has the name lvm\. Did you mean llvm"),
        ("vendor/bord", r"the name vendor/bord\. Did you mean vendor/board"),
        ("zzzzz", r"the name zzzzz\.$"),
        ("vendor/board@1", "Nothing that ships has the name vendor/board@1"),
        ("", "Nothing that ships has the name"),
        ("llvm", "llvm is not among what is left alone"),
        ("vendor/board", "vendor/board is not among what is left alone"),
        ("vendor/brd", "vendor/brd is not among what is left alone"),
        ("vendor", "vendor is not among what is left alone"),
    ],
)
@pytest.mark.usefixtures("ships")
def test_failed_adoption_writes_nothing(name: str, said: str) -> None:
    before = written()
    for options in ([], ["--plan"]):
        with pytest.raises(CommandError, match=said):
            call_command("load_catalogue", *options, "--adopt", name)
    assert written() == before


def test_only_the_given_names_are_adopted(ships: Catalogue, alice: User) -> None:
    for name in ("c", "cuda"):
        kinds.revise_kind(
            name, ships.kinds[name] | {"description": "Ours."}, actor=Actor.operator(alice)
        )
    assert [each.name for each in loading.load_catalogue(adopt=["c"]).made] == ["c, revision 3"]
    assert kinds.find_kind("cuda").source["description"] == "Ours."


def test_adoptable_names_are_unique() -> None:
    tags = [name for tag in shipped_facts.tags() for name in (tag.name, *tag.aliases)]
    named = [entry["name"] for entry in shipped_facts.namespaces()]
    every = [*tags, *named, *shipped_facts.kinds()]
    assert len(set(every)) == len(every)
