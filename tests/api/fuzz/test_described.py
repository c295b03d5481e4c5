"""The API does what its OpenAPI document says, whatever is sent: schemathesis over all of it."""

import json
from collections import Counter
from collections.abc import Iterator
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
from tests.api import description, good, seed
from tests.profiles import examples, is_thorough

pytestmark = pytest.mark.any_database

# What is refused though it is of the form described, for what no form can say. Anything else that
# is refused so is described wrongly.
UNFORESEEN = {
    "REFERENCE_INVALID",  # a spelling that only an alias could have, and none has
    "JSON_INVALID",  # text with U+0000, numbers that not every reader agrees on
    "FILTER_INVALID",  # a cursor that was not issued, an event that is not there yet
    "BODY_INVALID",
    "PARENT_INVALID",
    "NOT_A_TARGET",
    "FORMAT_UNFIT",  # no words for this target, or for where it comes from
    "FORMAT_LOSSY",
    "PRECONDITION_FAILED",
    "PRECONDITION_REQUIRED",
}
PROSE = {"/reason", "/message", "/text"}  # where characters are looked at one by one


def described(examples: int, *, corners: bool) -> Any:
    """The document, with values that are drawn more often than others; `corners` of each schema."""
    values = {f"d{at}": list(found) for at, found in enumerate(good.VALUES.values())}
    config = SchemathesisConfig.from_dict(
        {
            "dictionaries": {name: {"values": found} for name, found in values.items()},
            "parameters": {
                place: {"dictionary": name, "probability": 0.7}
                for place, name in zip(good.VALUES, values, strict=True)
            },
            "generation": {"max-examples": examples, "deterministic": True, "database": "none"},
            "checks": {"negative_data_rejection": {"expected-statuses": ["4xx"]}},
            "phases": {
                "coverage": {"enabled": corners},
                # What an answer holds is not the same in each run, and must not steer the next one.
                "fuzzing": {
                    "extra-data-sources": {"responses": False},
                    "error-feedback": {"enabled": False},
                },
            },
        }
    )
    schema = schemathesis.openapi.from_dict(json.loads(json.dumps(document())), config=config)
    schema.app = application
    schema.hooks.register_hook_with_name(before_add_examples, "before_add_examples")
    schema.hooks.register_hook_with_name(filter_failure, "filter_failure")
    return schema


def before_add_examples(context: HookContext, examples: list[Case]) -> None:
    """The good requests are sent too."""
    operation = context.operation
    assert operation is not None
    for each in good.REQUESTS[operation.definition.raw["operationId"]]:
        body = {} if each.body is None else {"body": each.body, "media_type": "application/json"}
        case = operation.Case(
            path_parameters=each.path, query=each.query, headers=each.headers, **body
        )
        examples.append(case)


def filter_failure(context: HookContext, failure: Failure, case: Case, response: Response) -> bool:
    """Not everything that is wrong with a request, or right, can be seen from the description."""
    if isinstance(failure, AcceptedNegativeData):  # nothing between two commas asks for nothing
        return case.query.get("include") not in ("", [""])
    if isinstance(failure, MissingHeaderNotRejected):  # the path is judged before the token
        return bool(response.json()["code"] != "REFERENCE_INVALID")
    if isinstance(failure, RejectedPositiveData):
        found = response.json()
        is_prose = found["errors"] and all(each["pointer"] in PROSE for each in found["errors"])
        return not is_prose and found["code"] not in UNFORESEEN
    return True


@pytest.fixture
def seen() -> Iterator[Counter[int]]:
    """How often each status was answered; every operation must have been seen to work."""
    found = Counter[int]()
    yield found
    assert any(found[status] for status in (200, 201)), f"nothing but {dict(found)}"


def is_own(case: Case, response: Response) -> bool:
    """Whether the operation was asked, and not for another method at its path."""
    return bool(response.request.method == case.operation.method.upper())


def strictly(case: Case, response: Response) -> list[str]:
    """What schemathesis lets pass: members, headers and codes that are not described."""
    if not is_own(case, response):
        return []  # OPTIONS, and what is not allowed, are no operations
    headers = {name.title(): values[0] for name, values in response.headers.items()}
    said = case.operation.definition.raw
    return list(description.departures(said, response.status_code, headers, response.content))


def follow(case: Case, response: Response, headers: dict[str, str]) -> None:
    """A page's `next` leads to a page that is as described."""
    is_json = response.headers.get("content-type", [""])[0].endswith("json")
    content = response.json() if response.status_code == 200 and is_json else {}
    if isinstance(content, dict) and content.get("next"):
        given = parse_qs(urlsplit(content["next"]).query, keep_blank_values=True)
        query = {name: found if name == "where" else found[0] for name, found in given.items()}
        further = case.operation.Case(path_parameters=case.path_parameters, query=query)
        assert further.call_and_validate(headers=headers).status_code == 200


everything = described(examples(0.25), corners=is_thorough())
some_of_it = described(examples(0.1), corners=False)


@everything.parametrize()
@settings(suppress_health_check=list(HealthCheck))
def test_with_a_token(case: Case, bearer: str, seen: Counter[int]) -> None:
    headers = {"Authorization": bearer}
    with seed.undone():
        response = case.call(headers=headers)
        seen[response.status_code] += is_own(case, response)
        case.validate_response(response, headers=headers)
        assert not strictly(case, response)
        follow(case, response, headers)


@some_of_it.parametrize()
@settings(suppress_health_check=list(HealthCheck))
@pytest.mark.usefixtures("stands")
def test_without_a_token(case: Case) -> None:
    with seed.undone():
        response = case.call_and_validate()
        assert not strictly(case, response)
        if {} not in case.operation.definition.raw["security"]:
            assert response.status_code in (400, 401)
