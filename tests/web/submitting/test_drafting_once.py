"""Each button of the form computes what the body would be once."""

import pytest
from django.test import Client

from registry.models import Namespace, Proposal, User, Version
from registry.services.versions import drafting
from tests.web.proposals.submit.conftest import Desk

pytestmark = pytest.mark.django_db

GOOD = '{"kind": "llvm", "mcpu": "haswell"}'
OTHER = '{"kind": "llvm", "mcpu": "skylake"}'


@pytest.fixture
def drafts(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """One entry for each time that a body is drafted."""
    sources: list[object] = []
    compute = drafting.compute_draft

    def counted(source: str, *args: object, **loaded: object) -> object:
        sources.append(source)
        return compute(source, *args, **loaded)  # type: ignore[arg-type]

    monkeypatch.setattr(drafting, "compute_draft", counted)
    return sources


@pytest.fixture
def alices(alice: User, acme: Namespace) -> Desk:
    """Alice, who may publish, at the form."""
    client = Client()
    client.force_login(alice)
    return Desk(client)


@pytest.mark.parametrize("do", ["check", "preview", "today"])
def test_looking_at_a_body_drafts_it_once(alices: Desk, drafts: list[object], do: str) -> None:
    assert alices.json("acme/x", GOOD, do).status == 200
    assert drafts == [GOOD]


@pytest.mark.parametrize("do", ["save", "fields", "json"])
def test_keeping_or_turning_a_body_drafts_nothing(
    alices: Desk, drafts: list[object], do: str
) -> None:
    assert alices.json("acme/x", GOOD, do).status in (200, 302)
    assert not drafts


def test_submitting_and_revising_draft_once_each(alices: Desk, drafts: list[object]) -> None:
    assert alices.json("acme/x", GOOD, "submit").status == 302
    assert drafts == [GOOD]
    proposal = Proposal.objects.get()
    page = alices.open(f"/submit?proposal={proposal.pk}")
    assert drafts == [GOOD]
    page = alices.send({**page.fields, "face": "json", "body": OTHER, "do": "submit"})
    assert page.status == 302
    assert drafts == [GOOD, OTHER]


def test_publishing_drafts_once(alices: Desk, drafts: list[object]) -> None:
    page = alices.json("acme/x", GOOD, "preview")
    drafts.clear()
    assert alices.press(page, "publish").status == 302
    assert drafts == [GOOD]
    assert Version.objects.filter(tag__text="acme/x").count() == 1
