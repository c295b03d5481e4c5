"""The small form at a fact that reports it as wrong."""

import json
import re

import pytest
from django.test import Client

from registry.models import Namespace, Proposal, ProposalRevision, User
from tests.publishing import publish
from tests.web.proposals.submit.conftest import FormClient

pytestmark = pytest.mark.django_db

URL = "/report/acme/board"
SOURCE = "https://example.org/board"
RIGHT = {"fact": "memory_bytes", "value": "8 GiB", "source": SOURCE, "comment": ""}


@pytest.fixture(autouse=True)
def board(acme: Namespace) -> None:
    facts = {"vendor": "Acme", "memory_bytes": 2**32}
    publish("acme/board", {"kind": "llvm", "hardware": facts})


@pytest.fixture
def reporter(bob: User) -> FormClient:
    client = Client()
    client.force_login(bob)
    return FormClient(client)


@pytest.fixture
def visitor(client: Client) -> FormClient:
    return FormClient(client)


def test_each_fact_links_to_its_report(visitor: FormClient) -> None:
    page = visitor.open("/hardware/acme/board")
    assert f"{URL}?fact=memory_bytes" in page.links
    form = visitor.open(f"{URL}?fact=memory_bytes")
    assert form.status == 200
    assert form.fields["fact"] == "memory_bytes"
    assert "Memory: 4 GiB" in form.text
    assert form.queries == 4, "kinds, the tag, its newest version and target"
    assert (form.fields["value"], form.fields["source"], form.fields["comment"]) == ("", "", "")
    assert len(re.findall("<(?:input|select|textarea) ", form.html.partition("<main ")[2])) < 12


def test_inherited_fact_is_reported_where_it_is_stated(visitor: FormClient) -> None:
    publish("acme/child", {"tag": "acme/board"})
    links = visitor.open("/hardware/acme/child").links
    assert "/report/acme/board@1.0.0?fact=memory_bytes" in links
    page = visitor.open("/report/acme/board@1.0.0?fact=memory_bytes")
    assert page.response["Location"] == f"{URL}?fact=memory_bytes"


def test_report_becomes_a_proposal(reporter: FormClient) -> None:
    page = reporter.open(f"{URL}?fact=memory_bytes")
    sent = [reporter.post(page.fields | RIGHT, URL).response["Location"] for _ in range(2)]
    proposal = Proposal.objects.get()
    assert sent == [f"/proposals/{proposal.pk}"] * 2, "a double click makes one"
    revision = ProposalRevision.objects.get()
    hardware = json.loads(revision.source)["hardware"]
    assert hardware == {
        "vendor": "Acme",
        "memory_bytes": 2**33,
        "sources": {"memory": [SOURCE]},
    }
    assert "Reviewers will compare the source" in reporter.open(sent[0]).text


@pytest.mark.parametrize(
    ("fields", "status", "links"),
    [
        ({"value": ""}, 400, ["#value"]),
        ({"value": "much"}, 400, ["#value"]),
        ({"source": ""}, 400, ["#source"]),
        ({"source": "see the manual"}, 400, ["#source"]),
        ({"fact": "nothing"}, 400, ["#fact"]),
        ({"fact": "", "value": "", "source": "x", "comment": "\x01"}, 400, ["#fact", "#source"]),
        ({"value": "-1"}, 422, ["#value"]),
        ({"comment": "x" * 300_000}, 400, ["#comment"]),
    ],
)
def test_wrong_report_is_kept_with_all_its_errors(
    reporter: FormClient, fields: dict[str, str], status: int, links: list[str]
) -> None:
    page = reporter.post(RIGHT | fields, URL)
    assert page.status == status
    assert set(links) <= set(page.links)
    assert "Not sent" in page.errors
    for name in fields.keys() - {"fact"}:
        assert page.fields[name] == fields[name], "the input is kept"
    assert not Proposal.objects.exists()


def test_another_report_from_the_same_page_can_be_sent(reporter: FormClient) -> None:
    page = reporter.open(f"{URL}?fact=memory_bytes")
    reporter.post(page.fields | RIGHT, URL)
    again = reporter.post(page.fields | RIGHT | {"value": "16 GiB"}, URL)
    assert (again.status, again.fields["value"]) == (409, "16 GiB")
    assert reporter.post(again.fields, URL).status == 302
    assert Proposal.objects.count() == 2


def test_report_waits_while_one_signs_in(visitor: FormClient, bob: User) -> None:
    page = visitor.open(f"{URL}?fact=memory_bytes")
    sent = visitor.post(page.fields | RIGHT, URL)
    assert sent.response["Location"] == f"/accounts/login/?next={URL}"
    visitor.client.force_login(bob)
    page = visitor.open(URL)
    assert {name: page.fields[name] for name in RIGHT} == RIGHT
    assert visitor.post(page.fields, URL).status == 302
    assert Proposal.objects.count() == 1


@pytest.mark.parametrize("wrong", [{"value": ""}, {"source": "see the manual"}, {"fact": "x"}])
def test_errors_are_shown_before_one_signs_in(visitor: FormClient, wrong: dict[str, str]) -> None:
    page = visitor.open(URL)
    sent = visitor.post(page.fields | RIGHT | wrong, URL)
    assert sent.status == 400
    assert {name: sent.fields[name] for name in ("value", "source")} == {
        name: (RIGHT | wrong)[name] for name in ("value", "source")
    }


def test_sizes_are_entered_one_per_line(reporter: FormClient) -> None:
    facts = {"memory_options_bytes": [2**31, 2**32]}
    publish("acme/sizes", {"kind": "llvm", "hardware": facts})
    url = "/report/acme/sizes"
    page = reporter.open(f"{url}?fact=memory_options_bytes")
    assert "<textarea" in page.html.partition('id="value"')[0].rpartition("<div")[2]
    assert 'id="value_unit">bytes' in page.html
    fields = {"fact": "memory_options_bytes", "value": "2 GiB\r\n8 GiB", "source": SOURCE}
    assert reporter.post(page.fields | fields, url).status == 302
    hardware = json.loads(ProposalRevision.objects.get().source)["hardware"]
    assert hardware["memory_options_bytes"] == [2**31, 2**33]


def test_tag_without_facts_leads_to_the_form(visitor: FormClient) -> None:
    publish("acme/plain", {"kind": "llvm"})
    page = visitor.open("/report/acme/plain")
    assert "This tag states no facts about a machine." in page.text
    assert "/submit?tag=acme/plain&amp;group=hardware#guided-hardware" in page.links


@pytest.mark.parametrize("path", ["/report/acme/none", "/report/nobody/x", "/report/x"])
def test_unknown_tag_is_no_server_error(visitor: FormClient, path: str) -> None:
    assert visitor.open(path).status in (400, 404)


def test_markup_is_escaped(reporter: FormClient) -> None:
    page = reporter.post(RIGHT | {"value": '"><script>alert(1)</script>'}, URL)
    assert "<script>alert" not in page.html
