"""Corrections of facts become proposals with the right value and its source."""

import json
from typing import Any

import pytest

from registry.domain.errors import Refused
from registry.domain.reference import Tag
from registry.models import Namespace, Proposal, ProposalRevision, User
from registry.services.core.permissions import Actor
from registry.services.proposals import fact_corrections
from tests.publishing import publish

pytestmark = pytest.mark.django_db

OLD, NEW = "https://example.org/old", "https://example.org/new"
FACTS: dict[str, Any] = {
    "vendor": "Acme",
    "memory_bytes": 2**32,
    "peak_ops_per_s": {"fp16": 10, "fp32": 5},
    "memory_options_bytes": [2**31, 2**32],
    "sources": {"all": [OLD]},
}
TAG = Tag.parse("acme/board")


@pytest.fixture(autouse=True)
def board(acme: Namespace) -> None:
    publish("acme/board", {"kind": "llvm", "mcpu": "haswell", "hardware": FACTS})


def correct(user: User, **fields: str) -> Proposal:
    tag = Tag.parse(fields.pop("tag", str(TAG)))
    key = fields.pop("key", "")
    texts = {"name": "memory_bytes", "value": "8 GiB", "source": NEW, "comment": ""} | fields
    correction = fact_corrections.correction_of(tag, **texts)
    return fact_corrections.correct_fact(correction, key=key, actor=Actor.operator(user))


def proposed() -> tuple[dict[str, Any], ProposalRevision]:
    revision = ProposalRevision.objects.get()
    return json.loads(revision.source), revision


@pytest.mark.parametrize(
    ("name", "value", "changed", "group"),
    [
        ("memory_bytes", "8 GiB", {"memory_bytes": 2**33}, "memory"),
        ("vendor", " Apex ", {"vendor": "Apex"}, "identity"),
        ("peak_ops_per_s/fp16", "20", {"peak_ops_per_s": {"fp16": 20, "fp32": 5}}, "throughput"),
        (
            "memory_options_bytes",
            "2 GiB\n8 GiB",
            {"memory_options_bytes": [2**31, 2**33]},
            "memory",
        ),
    ],
)
def test_only_the_fact_and_its_source_change(
    alice: User, name: str, value: str, changed: dict[str, Any], group: str
) -> None:
    correct(alice, name=name, value=value)
    body, revision = proposed()
    sources = {"all": [OLD], group: [NEW]}
    hardware = FACTS | changed | {"sources": sources}
    assert body == {"kind": "llvm", "mcpu": "haswell", "hardware": hardware}
    assert (json.loads(revision.sources), revision.base) == ([NEW], "1.0.0")
    assert revision.message == f"Correct {name}, as its source states it."


def test_comment_is_the_message(alice: User) -> None:
    correct(alice, comment=" See\r\npage 3. ")
    assert proposed()[1].message == "See\npage 3."


def test_inherited_fact_is_overridden(alice: User) -> None:
    publish("acme/child", {"tag": "acme/board"})
    correct(alice, tag="acme/child")
    body, _ = proposed()
    hardware = {"memory_bytes": 2**33, "sources": {"memory": [NEW]}}
    assert body == {"tag": "acme/board", "hardware": hardware}


def test_report_sent_twice_makes_one_proposal(alice: User) -> None:
    key = "1c0ee2a8-0d4e-4f0c-9a55-0242ac120002"
    assert correct(alice, key=key) == correct(alice, key=key)
    assert Proposal.objects.count() == 1


@pytest.mark.parametrize(
    ("fields", "pointers"),
    [
        ({"name": ""}, ["/fact"]),
        ({"name": "cores"}, ["/fact"]),
        ({"name": "sources"}, ["/fact"]),
        ({"name": "mcpu"}, ["/fact"]),
        ({"value": " "}, ["/value"]),
        ({"value": "much"}, ["/value"]),
        ({"value": "8 KB"}, ["/value"]),
        ({"value": "4 GiB"}, ["/value"]),
        ({"value": "4294967296"}, ["/value"]),
        ({"value": "-1"}, ["/value"]),
        ({"name": "vendor", "value": "a\x07"}, ["/value"]),
        ({"name": "vendor", "value": "x" * 300_000}, ["/value"]),
        ({"source": ""}, ["/source"]),
        ({"source": "http://example.org"}, ["/source"]),
        ({"source": "javascript:alert(1)"}, ["/source"]),
        ({"comment": "x" * 2001}, ["/comment"]),
        ({"comment": "\u202e"}, ["/comment"]),
        ({"value": "", "source": "", "comment": "\x01"}, ["/value", "/source", "/comment"]),
    ],
)
def test_invalid_reports_propose_nothing(
    alice: User, fields: dict[str, str], pointers: list[str]
) -> None:
    with pytest.raises(Refused) as caught:
        correct(alice, **fields)
    assert [fault.pointer for fault in caught.value.faults] == pointers
    assert not Proposal.objects.exists()


def test_tag_without_facts_has_none_to_correct(acme: Namespace) -> None:
    publish("acme/plain", {"kind": "llvm"})
    assert fact_corrections.stated_facts(Tag.parse("acme/plain")) == {}
    assert fact_corrections.stated_facts(Tag.parse("acme/unknown")) == {}
    assert [*fact_corrections.stated_facts(TAG)] == [
        *("vendor", "memory_bytes", "memory_options_bytes"),
        *("peak_ops_per_s/fp32", "peak_ops_per_s/fp16"),
    ]
