"""Each button of the form drafts the body at most once."""

import pytest

from registry.models import Proposal, Version
from registry.services.versions import drafting
from tests.web.proposals.submit.conftest import FormClient

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

GOOD = '{"kind": "llvm", "mcpu": "haswell"}'
OTHER = '{"kind": "llvm", "mcpu": "skylake"}'


@pytest.fixture
def drafts(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return a list that receives the source of every draft."""
    sources: list[object] = []
    compute = drafting.compute_draft

    def recording(body: drafting.ParsedBody, *args: object, **kwargs: object) -> object:
        sources.append(body.source)
        return compute(body, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(drafting, "compute_draft", recording)
    return sources


@pytest.mark.parametrize("button", ["check", "preview", "use-current"])
def test_check_and_preview_draft_the_body_once(
    alice_client: FormClient, drafts: list[object], button: str
) -> None:
    assert alice_client.post_json("acme/x", GOOD, button).status == 200
    assert drafts == [GOOD]


@pytest.mark.parametrize("button", ["save", "fields", "json"])
def test_saving_or_converting_does_not_draft_the_body(
    alice_client: FormClient, drafts: list[object], button: str
) -> None:
    assert alice_client.post_json("acme/x", GOOD, button).status in (200, 302)
    assert not drafts


def test_submitting_and_revising_draft_the_body_once(
    alice_client: FormClient, drafts: list[object]
) -> None:
    assert alice_client.post_json("acme/x", GOOD, "submit").status == 302
    assert drafts == [GOOD]
    proposal = Proposal.objects.get()
    page = alice_client.open(f"/submit?proposal={proposal.pk}")
    assert drafts == [GOOD]
    page = alice_client.post({**page.fields, "mode": "json", "body": OTHER, "do": "submit"})
    assert page.status == 302
    assert drafts == [GOOD, OTHER]


def test_publishing_drafts_the_body_once(alice_client: FormClient, drafts: list[object]) -> None:
    page = alice_client.post_json("acme/x", GOOD, "preview")
    drafts.clear()
    assert alice_client.press(page, "publish").status == 302
    assert drafts == [GOOD]
    assert Version.objects.filter(tag__text="acme/x").count() == 1
