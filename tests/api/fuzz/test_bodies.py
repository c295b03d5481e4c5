"""Whatever body is sent: a verdict or a refusal, bounded work, and nothing stored but by a 201."""

import json
from typing import Any

import pytest
from django.test import Client
from hypothesis import event, given, strategies as st

from tests.api import seed
from tests.api.fuzz import hostile
from tests.api.fuzz.bounds import as_described, at_most, drawn
from tests.api.fuzz.hostile import often
from tests.api.good import REFERENCES
from tests.publishing import written

pytestmark = pytest.mark.usefixtures("stands")

TAGS = ("acme/board", "acme/patch", "acme/new", "acme/new:variant")
LAST = {"acme/board": "2.0.0", "acme/patch": "1.0.0"}
MOST_QUERIES = 60  # of a check with impact; what stands has one tag downstream
MOST_OF_MANY = 4
PATHS = ("check", "resolve", "versions/acme/board", "proposals", "proposals/1/revise")


def answered(client: Client, path: str, data: bytes, most: int, **headers: str) -> Any:
    """The answer to a POST: as described, with at most so many queries."""
    with at_most(most):
        response = client.post(f"/api/v1/{path}", data, "application/json", headers=headers)
    as_described("POST", f"/api/v1/{path}", response)
    return response


def check(client: Client, tag: str, text: bytes, include: str = "") -> Any:
    data = b'{"tag": %s, "target": %s}' % (json.dumps(tag).encode(), text)
    return answered(client, f"check?include={include}", data, MOST_QUERIES)


def publish(client: Client, bearer: str, tag: str, text: bytes, last: str | None) -> Any:
    condition = {"If-Match": f'"{last}"'} if last else {"If-None-Match": "*"}
    data = b'{"target": %s}' % text
    return answered(
        client, f"versions/{tag}", data, MOST_QUERIES, Authorization=bearer, **condition
    )


@pytest.mark.any_database
@drawn
@given(
    tag=st.sampled_from(TAGS),
    text=hostile.texts,
    include=st.sampled_from(["", "impact", "near", "impact,near"]),
)
def test_whatever_is_checked_hears_why(client: Client, tag: str, text: bytes, include: str) -> None:
    before = written()
    response = check(client, tag, text, include)
    if response.status_code == 200:
        found = response.json()
        event(f"valid: {found['valid']}")
        assert found["valid"] is (not found["errors"])
        assert found["valid"] is (found["target"] is not None)
    assert written() == before


@pytest.mark.any_database
@drawn
@given(tag=st.sampled_from(TAGS), text=hostile.texts)
def test_publishing_does_what_the_check_foretold(
    client: Client, bearer: str, tag: str, text: bytes
) -> None:
    with seed.undone():
        foretold = check(client, tag, text)
        before = written()
        made = publish(client, bearer, tag, text, LAST.get(tag))
        if made.status_code != 201:
            assert written() == before
            assert foretold.status_code != 200 or _foretells(foretold.json(), made.json())
            return
        verdict, found = foretold.json(), made.json()
        assert verdict["valid"]
        for member in ("target", "digest", "tuning_keys", "version"):
            assert found[member] == verdict[member]
        resolved = client.get(made["Location"]).json()
        assert resolved == found
        again = publish(client, bearer, tag, text, verdict["version"])
        assert again.json()["code"] == "NOTHING_CHANGED"


def _foretells(verdict: dict[str, Any], refusal: dict[str, Any]) -> bool:
    """Whether a verdict names what the refusal then says."""
    if refusal["code"] == "NOTHING_CHANGED":
        return verdict["valid"] and verdict["bump"] is None
    named = refusal["errors"] or [{"pointer": "", "code": refusal["code"]}]
    told = [(error["pointer"], error["code"]) for error in verdict["errors"]]
    return not verdict["valid"] and told == [(each["pointer"], each["code"]) for each in named]


@st.composite
def reordered(draw: st.DrawFn, value: Any) -> Any:
    """The same value, the keys of its objects in another order."""
    if isinstance(value, list):
        return [draw(reordered(item)) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: draw(reordered(value[key])) for key in draw(st.permutations(list(value)))}


@pytest.mark.any_database
@drawn
@given(data=st.data(), body=st.one_of(hostile.good, hostile.spoilt()))
def test_order_of_keys_does_not_matter(client: Client, data: st.DataObject, body: Any) -> None:
    other = data.draw(reordered(body))
    verdicts = [
        check(client, "acme/board", json.dumps(each).encode()).json() for each in (body, other)
    ]
    for verdict in verdicts:
        verdict["errors"] = sorted(verdict.get("errors", []), key=json.dumps)
    assert verdicts[0] == verdicts[1]


@pytest.mark.any_database
@drawn
@given(
    references=st.lists(often(REFERENCES, st.one_of(hostile.odd_texts, hostile.odd)), max_size=5),
    wanted=often(["json", "target"], hostile.odd),
)
def test_whatever_is_resolved_at_once(client: Client, references: Any, wanted: Any) -> None:
    data = json.dumps({"references": references, "format": wanted}).encode()
    response = answered(client, "resolve", data, MOST_OF_MANY)
    if response.status_code == 200:
        assert len(response.json()["results"]) == len(references)


@drawn
@given(data=hostile.texts, path=st.sampled_from(PATHS))
def test_what_is_no_request_is_refused(client: Client, bearer: str, data: bytes, path: str) -> None:
    before = written()
    headers = {"If-Match": '"2.0.0"'} if path.startswith("versions") else {}
    response = answered(client, path, data, MOST_OF_MANY, Authorization=bearer, **headers)
    assert 400 <= response.status_code < 500
    assert written() == before
