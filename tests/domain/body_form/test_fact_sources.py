"""Sources of a change count for the facts that it states, and for no others."""

from typing import Any

import pytest

from registry.domain.body_form.fact_sources import with_sources
from tests.domain.builders import KINDS

A, B = "https://example.org/a", "https://example.org/b"
FACTS = {"vendor": "Arm", "memory_bytes": 4}


@pytest.mark.parametrize(
    ("facts", "before", "sources"),
    [
        (FACTS, {}, {"all": [A]}),
        ({"vendor": "Arm"}, {}, {"all": [A]}),
        (FACTS, {"vendor": "Arm"}, {"memory": [A]}),
        (FACTS, {"vendor": "Arm", "memory_bytes": 2}, {"memory": [A]}),
        (FACTS | {"sources": {"identity": [B]}}, {}, {"identity": [B, A], "memory": [A]}),
        (
            FACTS | {"sources": {"memory": [B], "identity": [B]}},
            {"vendor": "Arm", "memory_bytes": 2},
            {"memory": [B, A], "identity": [B]},
        ),
        (FACTS | {"sources": {"all": [B]}}, {"vendor": "Arm"}, {"all": [B], "memory": [A]}),
    ],
)
def test_sources_support_what_is_new(facts: Any, before: Any, sources: Any) -> None:
    stated = with_sources(facts, before, [A], KINDS["hardware"])
    assert stated == facts | {"sources": sources}
    assert with_sources(stated, before, [A], KINDS["hardware"]) == stated, "once only"


@pytest.mark.parametrize(
    ("facts", "before", "urls"),
    [
        (FACTS, FACTS, [A]),
        (FACTS, {}, []),
        ({}, {}, [A]),
        ({}, FACTS, [A]),
        ({"vendor": None}, {"vendor": "Arm"}, [A]),
        ({"unknown": 1}, {}, [A]),
        ({"sources": {"all": [B]}}, {}, [A]),
        (FACTS | {"sources": {"all": [A]}}, {}, [A]),
        (FACTS | {"sources": {"memory": {"$append": [B]}}}, {}, [A]),
        (FACTS | {"sources": None}, FACTS, [A]),
        (FACTS | {"sources": "text"}, {}, [A]),
    ],
)
def test_sources_support_nothing_else(facts: Any, before: Any, urls: list[str]) -> None:
    assert with_sources(facts, before, urls, KINDS["hardware"]) == facts


@pytest.mark.parametrize(
    ("inherited", "sources"),
    [
        ({}, {"memory": [A]}),
        ({"memory_type": "DDR4", "sources": {"memory": [B]}}, {"memory": [B, A]}),
        ({"vendor": "Arm", "sources": {"all": [B]}}, {"memory": [A]}),
    ],
)
def test_sources_of_inherited_facts_stay(inherited: Any, sources: Any) -> None:
    facts = {"memory_bytes": 4}
    stated = with_sources(facts, inherited, [A], KINDS["hardware"], inherited=inherited)
    assert stated["sources"] == sources
