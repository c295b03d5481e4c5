"""Send arbitrary bodies: each gets a verdict or an error, and only a 201 stores anything."""

import json
from typing import Any

import pytest
from django.test import Client
from hypothesis import event, given, strategies as st

from tests.api import seed
from tests.api.fuzz import hostile
from tests.api.fuzz.bounds import assert_described, fuzzed, limit_queries
from tests.api.fuzz.hostile import often
from tests.api.sample_requests import REFERENCES
from tests.publishing import row_counts

pytestmark = pytest.mark.usefixtures("sample_registry")

TAGS = ("acme/board", "acme/patch", "acme/new", "acme/new:variant")
LAST = {"acme/board": "2.0.0", "acme/patch": "1.0.0"}
MAX_QUERIES = 60  # of a check with impact, with one tag downstream
MAX_BATCH_QUERIES = 4
PATHS = ("check", "resolve", "versions/acme/board", "proposals", "proposals/1/revise")


def post(client: Client, path: str, data: bytes, max_queries: int, **headers: str) -> Any:
    """Send a POST. Check the response, and that it takes at most `max_queries`."""
    with limit_queries(max_queries):
        response = client.post(f"/api/v1/{path}", data, "application/json", headers=headers)
    assert_described("POST", f"/api/v1/{path}", response)
    return response


def check(client: Client, tag: str, text: bytes, include: str = "") -> Any:
    data = b'{"tag": %s, "target": %s}' % (json.dumps(tag).encode(), text)
    return post(client, f"check?include={include}", data, MAX_QUERIES)


def publish(client: Client, bearer: str, tag: str, text: bytes, last: str | None) -> Any:
    condition = {"If-Match": f'"{last}"'} if last else {"If-None-Match": "*"}
    data = b'{"target": %s}' % text
    return post(client, f"versions/{tag}", data, MAX_QUERIES, Authorization=bearer, **condition)


@pytest.mark.any_database
@fuzzed
@given(
    tag=st.sampled_from(TAGS),
    text=hostile.texts,
    include=st.sampled_from(["", "impact", "near", "impact,near", "tuning"]),
)
def test_check_always_states_the_reason(
    client: Client, tag: str, text: bytes, include: str
) -> None:
    before = row_counts()
    response = check(client, tag, text, include)
    if response.status_code == 200:
        data = response.json()
        event(f"valid: {data['valid']}")
        assert data["valid"] is (not data["errors"])
        assert data["valid"] is (data["target"] is not None)
    assert row_counts() == before


@pytest.mark.any_database
@fuzzed
@given(tag=st.sampled_from(TAGS), text=hostile.texts)
def test_publishing_does_what_the_check_predicted(
    client: Client, bearer: str, tag: str, text: bytes
) -> None:
    with seed.rolled_back():
        predicted = check(client, tag, text)
        before = row_counts()
        published = publish(client, bearer, tag, text, LAST.get(tag))
        if published.status_code != 201:
            assert row_counts() == before
            assert predicted.status_code != 200 or _predicts(predicted.json(), published.json())
            return
        verdict, result = predicted.json(), published.json()
        assert verdict["valid"]
        for member in ("target", "digest", "tuning_keys", "version"):
            assert result[member] == verdict[member]
        resolved = client.get(published["Location"]).json()
        assert resolved == result
        again = publish(client, bearer, tag, text, verdict["version"])
        assert again.json()["code"] == "NOTHING_CHANGED"


def _predicts(verdict: dict[str, Any], refusal: dict[str, Any]) -> bool:
    """Return whether a verdict reports the faults of the later error."""
    if refusal["code"] == "NOTHING_CHANGED":
        return verdict["valid"] and verdict["bump"] is None
    named = refusal["errors"] or [{"pointer": "", "code": refusal["code"]}]
    message = [(error["pointer"], error["code"]) for error in verdict["errors"]]
    return not verdict["valid"] and message == [(item["pointer"], item["code"]) for item in named]


@st.composite
def reordered(draw: st.DrawFn, value: Any) -> Any:
    """Draw the same value with the keys of its objects in another order."""
    if isinstance(value, list):
        return [draw(reordered(item)) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: draw(reordered(value[key])) for key in draw(st.permutations(list(value)))}


@pytest.mark.any_database
@fuzzed
@given(data=st.data(), body=st.one_of(hostile.valid, hostile.corrupted()))
def test_order_of_keys_does_not_matter(client: Client, data: st.DataObject, body: Any) -> None:
    other = data.draw(reordered(body))
    verdicts = [
        check(client, "acme/board", json.dumps(item).encode()).json() for item in (body, other)
    ]
    for verdict in verdicts:
        verdict["errors"] = sorted(verdict.get("errors", []), key=json.dumps)
    assert verdicts[0] == verdicts[1]


@pytest.mark.any_database
@fuzzed
@given(
    references=st.lists(
        often(REFERENCES, st.one_of(hostile.odd_texts, hostile.invalid)), max_size=5
    ),
    export_format=often(["json", "target"], hostile.invalid),
)
def test_resolving_many_arbitrary_references(
    client: Client, references: Any, export_format: Any
) -> None:
    data = json.dumps({"references": references, "format": export_format}).encode()
    response = post(client, "resolve", data, MAX_BATCH_QUERIES)
    if response.status_code == 200:
        assert len(response.json()["results"]) == len(references)


@fuzzed
@given(data=hostile.texts, path=st.sampled_from(PATHS))
def test_invalid_request_is_rejected(client: Client, bearer: str, data: bytes, path: str) -> None:
    before = row_counts()
    headers = {"If-Match": '"2.0.0"'} if path.startswith("versions") else {}
    response = post(client, path, data, MAX_BATCH_QUERIES, Authorization=bearer, **headers)
    assert 400 <= response.status_code < 500
    assert row_counts() == before
