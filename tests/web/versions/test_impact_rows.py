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


def shown(body: dict[str, Any], limit: int = 100) -> dict[str, Any]:
    draft = checking.check(Tag.parse("acme/base"), json.dumps(body))
    return impact_rows.impact_context(compute_impact(draft, limit=limit))


def rendered(found: dict[str, Any]) -> str:
    page = render_to_string("registry/actions/impact.html", {"impact": found})
    return " ".join(page.split())


def test_worst_is_counted_first() -> None:
    publish("acme/base", BASE)
    publish("acme/same", {"tag": "acme/base", "num-cores": 2})
    publish("acme/other", {"tag": "acme/base", "mcpu": "skylake"})
    found = shown(BASE | {"mcpu": "znver3"})
    counted = [(count.number, count.bump) for count in found["counts"]]
    assert counted == [(1, "MAJOR"), (1, "PATCH")]
    page = rendered(found)
    assert "<b>2</b> tags would change" in page
    assert "<code>&quot;haswell&quot;</code>" in page


def test_refusals_say_why() -> None:
    publish("acme/base", BASE | {"mattr": ["+avx"]})
    publish("acme/board", {"tag": "acme/base", "mattr": {"$append": ["+avx2"]}})
    found = shown({"kind": "cuda", "arch": "sm_80"})
    (row,) = found["rows"]
    assert row.bump == "REFUSED"
    assert "/mattr" in rendered(found)
    assert impact_rows.REFUSED_MEANING in rendered(found)


def test_nobody_downstream_says_so() -> None:
    publish("acme/base", BASE)
    assert "no tag has a floating reference to this one" in rendered(shown(BASE | {"num-cores": 8}))


def test_rows_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(impact_rows, "MAX_ROWS", 2)
    publish("acme/base", BASE)
    for at in range(5):
        publish(f"acme/d{at}", {"tag": "acme/base", "model": f"m{at}"})
    page = rendered(shown(BASE | {"num-cores": 8}))
    assert page.count("<tr>") == 1 + 2
    assert "Showing the first 2 of 5, parents first." in page
    assert "At least <b>3</b> tags" in rendered(shown(BASE | {"num-cores": 8}, limit=3))
