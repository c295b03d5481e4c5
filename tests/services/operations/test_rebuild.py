"""Rebuilding the search index."""

import pytest
from django.core.management import call_command

from registry.models import Attribute, Entry, Namespace, Posting, Tag, Term, TermGram
from registry.services.operations import verify
from tests.publishing import publish

pytestmark = pytest.mark.django_db


def findings() -> list[str]:
    return [str(finding) for finding in verify.verify()]


def test_reindex_repairs_the_search_index(
    acme: Namespace, capsys: pytest.CaptureFixture[str]
) -> None:
    publish("acme/board", {"kind": "llvm", "mcpu": "haswell"})
    Posting.objects.filter(tag__text="acme/board").delete()
    Posting.objects.filter(tag__text="arm/soc").update(weight=1)
    Term.objects.filter(text="soc").delete()
    TermGram.objects.all().delete()
    Attribute.objects.filter(tag__text="acme/board").update(text="other")
    Entry.objects.filter(text="acme/board").delete()
    assert findings()
    call_command("reindex")
    assert findings() == []
    count = Tag.objects.count()
    assert capsys.readouterr().out == f"Rebuilt the search index of {count} tags.\n"
