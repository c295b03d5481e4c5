"""Tests of POST resolve with many references."""

import json
from typing import Any
from unittest.mock import patch

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.models import Tag
from registry.services.versions import resolving
from tests.api.conftest import Post
from tests.api.problems import problem
from tests.publishing import publish as publish_body, yank

pytestmark = pytest.mark.django_db


def results(response: Any) -> list[Any]:
    assert response.status_code == 200, response.content[:300]
    result: list[Any] = json.loads(response.content)["results"]
    return result


def test_each_result_equals_that_of_a_single_request(client: Client, post: Post) -> None:
    references = ["arm/soc:aot", "nvidia/a100", "nvidia/jetson-nano@1.0.0", "aws/c4.4xlarge@1"]
    items = results(post("resolve", {"references": references}))
    assert items == [client.get(f"/api/v1/resolve/{text}").json() for text in references]


def test_unresolved_reference_is_a_problem_at_its_index(post: Post) -> None:
    references = ["arm/soc", "arm/nothing", "Not A Reference", "arm/soc@9", "arm/soc@1.0.0"]
    items = results(post("resolve", {"references": references}))
    assert [item.get("code", "") for item in items] == [
        "",
        "TAG_UNKNOWN",
        "REFERENCE_INVALID",
        "VERSION_UNKNOWN",
        "",
    ]
    assert [item["status"] for item in items] == ["active", 404, 400, 404, "active"]


def test_repeated_reference_is_resolved_at_each_index(post: Post) -> None:
    items = results(post("resolve", {"references": ["arm/soc", "arm/soc:aot", "arm/soc"]}))
    assert items[0] == items[2] != items[1]


def test_format_target_returns_only_targets(post: Post) -> None:
    items = results(post("resolve", {"references": ["arm/soc"], "format": "target"}))
    assert items[0]["kind"] == "c"


@pytest.mark.usefixtures("acme")
def test_results_have_warnings(post: Post) -> None:
    publish_body("acme/board", {"kind": "llvm"})
    yank("acme/board@1.0.0")
    (result,) = results(post("resolve", {"references": ["acme/board@1.0.0"]}))
    assert [warning["code"] for warning in result["warnings"]] == ["YANKED"]


def test_empty_list_is_valid(post: Post) -> None:
    assert results(post("resolve", {"references": []})) == []


def test_response_is_not_cached(post: Post) -> None:
    response = post("resolve", {"references": ["arm/soc"]})
    assert response["Cache-Control"] == "no-store"
    assert "ETag" not in response


def test_any_number_of_references_takes_three_queries(post: Post) -> None:
    texts = list(Tag.objects.values_list("text", flat=True))
    thousand = [text for text in texts for _ in range(4)][:1000]
    for references in (["arm/soc"], thousand, [f"arm/nothing-{number}" for number in range(1000)]):
        with CaptureQueriesContext(connection) as captured:
            items = results(post("resolve", {"references": references}))
        assert len(items) == len(references)
        queries = [query for query in captured.captured_queries if "registry_" in query["sql"]]
        # The third is for families among them, whose warning names their members.
        assert len([q for q in queries if "registry_cache" not in q["sql"]]) <= 3


def test_more_than_a_thousand_references_are_rejected(post: Post) -> None:
    error = problem(post("resolve", {"references": ["arm/soc"] * 1001}), "TOO_LARGE")
    assert "1000" in error["detail"]


def test_large_response_is_rejected_before_it_is_loaded(post: Post) -> None:
    with (
        patch.object(resolving, "MAX_RESPONSE_SIZE", 1000),
        CaptureQueriesContext(connection) as captured,
    ):
        problem(post("resolve", {"references": ["nvidia/jetson-nano"] * 20}), "TOO_LARGE")
    assert not any('"target"' in query["sql"] for query in captured.captured_queries)


@pytest.mark.usefixtures("acme")
def test_thousand_targets_beyond_the_limit_are_rejected_before_they_are_loaded(post: Post) -> None:
    publish_body(
        "acme/large", {"kind": "llvm", "mattr": [f"+feature-{number}" for number in range(700)]}
    )
    with CaptureQueriesContext(connection) as captured:
        error = problem(post("resolve", {"references": ["acme/large"] * 1000}), "TOO_LARGE")
    assert str(resolving.MAX_RESPONSE_SIZE) in error["detail"]
    assert not any('"target"' in query["sql"] for query in captured.captured_queries)
    assert len(results(post("resolve", {"references": ["acme/large"] * 500}))) == 500


def test_repeated_references_count_each_time(post: Post) -> None:
    one = len(post("resolve", {"references": ["nvidia/jetson-nano"]}).content)
    with patch.object(resolving, "MAX_RESPONSE_SIZE", 3 * one):
        assert len(results(post("resolve", {"references": ["nvidia/jetson-nano"] * 2}))) == 2
        problem(post("resolve", {"references": ["nvidia/jetson-nano"] * 4}), "TOO_LARGE")


@pytest.mark.parametrize(
    ("request_body", "code"),
    [
        ({}, "REQUEST_INVALID"),
        ({"references": "arm/soc"}, "REQUEST_INVALID"),
        ({"references": [1]}, "REQUEST_INVALID"),
        ({"references": [["arm/soc"]]}, "REQUEST_INVALID"),
        ({"references": ["arm/soc"], "formats": "json"}, "REQUEST_INVALID"),
        ({"references": ["arm/soc"], "format": 1}, "REQUEST_INVALID"),
        ({"references": ["arm/soc"], "format": "nope"}, "FORMAT_UNKNOWN"),
        ('{"references": ["arm/soc\\u0000"]}', "JSON_INVALID"),
        ("[]", "JSON_INVALID"),
        ('{"references": [', "JSON_INVALID"),
        ('{"references": ["' + "x" * 600_000 + '"]}', "TOO_LARGE"),
    ],
)
def test_invalid_request_is_rejected(post: Post, request_body: Any, code: str) -> None:
    problem(post("resolve", request_body), code)


def test_the_longest_references_fit(post: Post) -> None:
    references = [
        f"arm/{'x' * 174}{number:03}@{'9' * 9}.{'9' * 9}.{'9' * 9}" for number in range(1000)
    ]
    assert len(results(post("resolve", {"references": references}))) == 1000
