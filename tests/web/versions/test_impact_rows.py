"""The impact of a publication on dependents, as rows of a page."""

import json
from typing import Any

import pytest
from django.template.loader import render_to_string

from registry.domain.reference import Tag
from registry.services.versions import checking
from registry.services.versions.impact import compute_impact
from registry.web.versions import impact_rows
from tests.publishing import publish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BASE = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "haswell", "num-cores": 4}


def impact_context(body: dict[str, Any], limit: int = 100) -> dict[str, Any]:
    draft = checking.check(Tag.parse("acme/base"), json.dumps(body))
    return impact_rows.impact_context(compute_impact(draft, limit=limit))


def render(context: dict[str, Any]) -> str:
    markup = render_to_string("registry/versions/impact.html", {"impact": context})
    return " ".join(markup.split())


def test_counts_are_ordered_by_urgency() -> None:
    publish("acme/base", BASE)
    publish("acme/same", {"tag": "acme/base", "num-cores": 2})
    publish("acme/other", {"tag": "acme/base", "mcpu": "skylake"})
    context = impact_context(BASE | {"mcpu": "znver3"})
    bumps = [(number, bump) for number, bump, _ in context["counts"]]
    assert bumps == [(1, "MAJOR"), (1, "PATCH")]
    page = render(context)
    assert "<b>2</b> tags would change" in page
    assert "<code>&quot;haswell&quot;</code>" in page


def test_refused_dependents_have_a_reason() -> None:
    publish("acme/base", BASE | {"mattr": ["+avx"]})
    publish("acme/board", {"tag": "acme/base", "mattr": {"$append": ["+avx2"]}})
    context = impact_context({"kind": "cuda", "arch": "sm_80"})
    (row,) = context["rows"]
    assert row["bump"] == "REFUSED"
    assert "/mattr" in render(context)
    assert impact_rows.REFUSED_MEANING in render(context)


def test_tag_without_dependents_has_no_impact() -> None:
    publish("acme/base", BASE)
    assert "no tag has a floating reference to this one" in render(
        impact_context(BASE | {"num-cores": 8})
    )


def test_number_of_rows_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(impact_rows, "MAX_ROWS", 2)
    publish("acme/base", BASE)
    for number in range(5):
        publish(f"acme/d{number}", {"tag": "acme/base", "model": f"m{number}"})
    page = render(impact_context(BASE | {"num-cores": 8}))
    assert page.count("<tr>") == 1 + 2
    assert "Showing the first 2 of 5, parents first." in page
    assert "At least <b>3</b> tags" in render(impact_context(BASE | {"num-cores": 8}, limit=3))
