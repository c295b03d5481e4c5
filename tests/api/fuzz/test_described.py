"""Check the whole API against its OpenAPI document with schemathesis."""

import json
from collections import Counter
from collections.abc import Iterator
from operator import itemgetter
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case, HookContext
from schemathesis.config import SchemathesisConfig
from schemathesis.core.failures import AcceptedNegativeData, Failure
from schemathesis.core.transport import Response
from schemathesis.openapi.checks import MissingHeaderNotRejected, RejectedPositiveData

from registry.api.core.openapi import document
from registry.wsgi import application
from tests.api import description, sample_requests, seed
from tests.profiles import examples, is_thorough

pytestmark = pytest.mark.any_database
pytest_plugins = ["schemathesis.pytest.plugin"]  # which other tests need not load

# Codes of requests that match the description but fail for reasons that a schema cannot express.
UNPREDICTABLE_CODES = {
    "REFERENCE_INVALID",  # a name that only an alias could have, but none has
    "JSON_INVALID",  # text with U+0000, numbers that parsers read differently
    "FILTER_INVALID",  # a cursor that was not issued, an event that does not exist yet
    "BODY_INVALID",
    "PARENT_INVALID",
    "NOT_A_TARGET",
    "OPTION_UNSAFE",
    "FORMAT_UNFIT",  # the format does not support the target, or `record`
    "FORMAT_LOSSY",
    "PRECONDITION_FAILED",
    "PRECONDITION_REQUIRED",
}
code_of = itemgetter("code")
PROSE = {"/reason", "/message", "/text"}  # checked character by character


def load_schema(examples: int, *, corners: bool) -> Any:
    """Return the schema to test; with `corners`, cover the edge cases of every schema."""
    values = {
        f"d{number}": list(result) for number, result in enumerate(sample_requests.VALUES.values())
    }
    config = SchemathesisConfig.from_dict(
        {
            "dictionaries": {name: {"values": result} for name, result in values.items()},
            "parameters": {
                place: {"dictionary": name, "probability": 0.7}
                for place, name in zip(sample_requests.VALUES, values, strict=True)
            },
            "generation": {"max-examples": examples, "deterministic": True, "database": "none"},
            "checks": {"negative_data_rejection": {"expected-statuses": ["4xx"]}},
            "phases": {
                "coverage": {"enabled": corners},
                # Responses differ between runs and must not influence the next requests.
                "fuzzing": {
                    "extra-data-sources": {"responses": False},
                    "error-feedback": {"enabled": False},
                },
            },
        }
    )
    described = schemathesis.openapi.from_dict(json.loads(json.dumps(document())), config=config)
    schema = described.exclude(operation_id=list(sample_requests.WITHOUT_SAMPLES))
    schema.app = application
    schema.hooks.register_hook_with_name(before_add_examples, "before_add_examples")
    schema.hooks.register_hook_with_name(filter_failure, "filter_failure")
    return schema


def before_add_examples(context: HookContext, examples: list[Case]) -> None:
    """Send the sample requests too."""
    operation = context.operation
    assert operation is not None
    for item in sample_requests.REQUESTS[operation.definition.raw["operationId"]]:
        body = {} if item.body is None else {"body": item.body, "media_type": "application/json"}
        case = operation.Case(
            path_parameters=item.path, query=item.query, headers=item.headers, **body
        )
        examples.append(case)


def filter_failure(context: HookContext, failure: Failure, case: Case, response: Response) -> bool:
    """Return False for failures that the description cannot predict."""
    if isinstance(failure, AcceptedNegativeData):  # an empty list is valid
        return case.query.get("include") not in ("", [""])
    if isinstance(failure, MissingHeaderNotRejected):  # the path is checked before the token
        return bool(response.json()["code"] != "REFERENCE_INVALID")
    if isinstance(failure, RejectedPositiveData):
        data = response.json()
        is_prose = data["errors"] and all(item["pointer"] in PROSE for item in data["errors"])
        # Of several faults, each has a code of its own.
        is_well_formed = data["errors"] and data["code"] not in map(code_of, data["errors"])
        return not (is_prose or is_well_formed or data["code"] in UNPREDICTABLE_CODES)
    return True


@pytest.fixture
def seen() -> Iterator[Counter[int]]:
    """Count responses by status. Every operation must succeed at least once."""
    result = Counter[int]()
    yield result
    assert any(result[status] for status in (200, 201)), f"only {dict(result)}"


def is_own(case: Case, response: Response) -> bool:
    """Return whether the request had the method of the operation."""
    return bool(response.request.method == case.operation.method.upper())


def undescribed_parts(case: Case, response: Response) -> list[str]:
    """Return what schemathesis ignores: undescribed members, headers and codes."""
    if not is_own(case, response):
        return []  # OPTIONS and methods that are not allowed are not operations
    headers = {name.title(): values[0] for name, values in response.headers.items()}
    described_operation = case.operation.definition.raw
    return list(
        description.mismatches(described_operation, response.status_code, headers, response.content)
    )


def follow(case: Case, response: Response, headers: dict[str, str]) -> None:
    """Check the page that `next` links to."""
    is_json = response.headers.get("content-type", [""])[0].endswith("json")
    content = response.json() if response.status_code == 200 and is_json else {}
    if isinstance(content, dict) and content.get("next"):
        parameters = parse_qs(urlsplit(content["next"]).query, keep_blank_values=True)
        query = {
            name: result if name == "where" else result[0] for name, result in parameters.items()
        }
        further = case.operation.Case(path_parameters=case.path_parameters, query=query)
        assert further.call_and_validate(headers=headers).status_code == 200


all_requests = load_schema(examples(0.25), corners=is_thorough())
fewer_requests = load_schema(examples(0.1), corners=False)


@all_requests.parametrize()
@settings(suppress_health_check=list(HealthCheck))
def test_with_a_token(case: Case, bearer: str, seen: Counter[int]) -> None:
    headers = {"Authorization": bearer}
    with seed.rolled_back():
        response = case.call(headers=headers)
        seen[response.status_code] += is_own(case, response)
        case.validate_response(response, headers=headers)
        assert not undescribed_parts(case, response)
        follow(case, response, headers)


@fewer_requests.parametrize()
@settings(suppress_health_check=list(HealthCheck))
@pytest.mark.usefixtures("sample_registry")
def test_without_a_token(case: Case) -> None:
    with seed.rolled_back():
        response = case.call_and_validate()
        assert not undescribed_parts(case, response)
        if {} not in case.operation.definition.raw["security"]:
            assert response.status_code in (400, 401)
