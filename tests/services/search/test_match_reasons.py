"""Search results state by which value they match."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.reference import Reference
from registry.models import Namespace, User
from registry.services.core.permissions import Actor
from registry.services.search import match_reasons
from registry.services.search.match_reasons import Reason
from registry.services.search.search_query import SearchQuery
from registry.services.search.searching import search
from registry.services.tags import aliases
from tests.publishing import publish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

CARD = {
    "kind": "cuda",
    "arch": "sm_89",
    "host": {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "haswell"},
    "hardware": {
        "vendor": "Zyxel Corp",
        "model": "Blaster 9",
        "family": "Zorro",
        "category": "gpu",
    },
}


@pytest.fixture
def card(acme: Namespace, alice: User) -> None:
    publish("acme/zap-9000", CARD, message="A marvellous card")
    reference = Reference.parse("acme/zap-9000")
    aliases.point_alias("acme/wonder", reference, actor=Actor.operator(alice))


def why(text: str) -> tuple[Reason, ...]:
    (entry,) = (e for e in search(SearchQuery(text)).entries if e.text == "acme/zap-9000")
    return entry.reasons


@pytest.mark.usefixtures("card")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("zap", ("name", "acme/zap-9000")),
        ("wonder", ("alias", "acme/wonder")),
        ("zyxel", ("vendor", "Zyxel Corp")),
        ("zyxle", ("vendor", "Zyxel Corp")),
        ("zap cuda", ("/kind", "cuda")),
        ("zap sm_89", ("arch", "sm_89")),
        ("zorro", ("/hardware/family", "Zorro")),
        ("blaster 9", ("/hardware/model", "Blaster 9")),
        ("blas", ("/hardware/model", "Blaster 9")),
        ("zap gpu", ("/hardware/category", "gpu")),
        ("zap haswell", ("/host/mcpu", "haswell")),
    ],
)
def test_a_reason_is_the_value_in_which_a_word_stands(text: str, expected: tuple[str, str]) -> None:
    assert expected in [(reason.field, reason.value) for reason in why(text)]


@pytest.mark.usefixtures("card")
def test_words_in_the_same_value_share_a_reason() -> None:
    assert why("9000 zap zorro") == (
        Reason("name", "acme/zap-9000", ("9000", "zap")),
        Reason("/hardware/family", "Zorro", ("zorro",)),
    )


def test_long_values_are_shortened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_reasons, "MAX_VALUE", 5)
    publish("acme/zap-9000", CARD)
    assert [reason.value for reason in why("zyxel")] == ["Zyxel"]


@pytest.mark.usefixtures("card")
def test_a_search_without_words_has_no_reasons() -> None:
    assert all(entry.reasons == () for entry in search(SearchQuery("")).entries)


@pytest.mark.usefixtures("card")
@pytest.mark.parametrize(("text", "queries"), [("zap", 0), ("wonder", 1), ("blaster", 2)])
def test_only_what_names_and_facts_do_not_explain_is_read(text: str, queries: int) -> None:
    results = search(SearchQuery(text))
    with CaptureQueriesContext(connection) as captured:
        search(SearchQuery(text))
    tables = [
        query["sql"]
        for query in captured
        if query["sql"].startswith('SELECT "registry_name"."tag_id"')
        or 'FROM "registry_attribute"' in query["sql"]
        or query["sql"].startswith('SELECT "registry_version"."tag_id" AS "tag"')
    ]
    assert results.total
    assert len(tables) == queries
