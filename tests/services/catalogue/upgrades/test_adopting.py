"""Adopting names that others have changed."""

import pytest
from django.core.management import CommandError, call_command

from registry.models import User
from registry.services.catalogue import loading
from registry.services.core import shipped_facts
from registry.services.core.permissions import Actor
from registry.services.kinds import kinds
from tests.publishing import row_counts
from tests.services.catalogue.upgrades.catalogues import Catalogue, change_names

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("lvm", r"The catalogue does not contain lvm\. Did you mean llvm"),
        ("vendor/bord", r"not contain vendor/bord\. Did you mean vendor/board"),
        ("zzzzz", r"not contain zzzzz\.$"),
        ("vendor/board@1", "The catalogue does not contain vendor/board@1"),
        ("", "The catalogue does not contain"),
        ("llvm", "Nothing to adopt: llvm would not be skipped"),
        ("vendor/board", "Nothing to adopt: vendor/board would not be skipped"),
        ("vendor/brd", "Nothing to adopt: vendor/brd would not be skipped"),
        ("vendor", "Nothing to adopt: vendor would not be skipped"),
    ],
)
@pytest.mark.usefixtures("catalogue")
def test_failed_adoption_writes_nothing(name: str, message: str) -> None:
    before = row_counts()
    for options in ([], ["--plan"]):
        with pytest.raises(CommandError, match=message):
            call_command("load_catalogue", *options, "--adopt", name)
    assert row_counts() == before


def test_only_the_given_names_are_adopted(catalogue: Catalogue, alice: User) -> None:
    for name in ("c", "cuda"):
        kinds.revise_kind(
            name, catalogue.kinds[name] | {"description": "Ours."}, actor=Actor.operator(alice)
        )
    assert change_names(loading.load_catalogue(adopt=["c"])) == ["c, revision 3"]
    assert kinds.find_kind("cuda").source["description"] == "Ours."


def test_adoptable_names_are_unique() -> None:
    tags = [name for tag in shipped_facts.tags() for name in (tag.name, *tag.aliases)]
    namespaces = [entry["name"] for entry in shipped_facts.namespaces()]
    names = [*tags, *namespaces, *shipped_facts.kinds()]
    assert len(set(names)) == len(names)
