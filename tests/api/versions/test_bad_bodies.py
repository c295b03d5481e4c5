"""Tests of invalid bodies: each gets a code, a pointer and a message, and stores nothing."""

from typing import Any

import pytest

from tests.api.conftest import Post
from tests.api.problems import error_positions, problem
from tests.people import make_acme
from tests.publishing import counts, publish as put, yank

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

BAD = "BODY_INVALID"
LLVM = {"kind": "llvm", "mcpu": "haswell"}


def nested(levels: int) -> dict[str, Any]:
    body: dict[str, Any] = dict(LLVM)
    for _ in range(levels):
        body = {"kind": "composite", "devices": {"d": body}}
    return body


# (body as text, code of the whole, pointer and code of each error)
UNREADABLE = [
    ('{"kind": "llvm", "kind": "c"}', "JSON_INVALID", [("/kind", "JSON_INVALID")]),
    ('{"kind": "llvm", "num-cores": NaN}', "JSON_INVALID", [("/num-cores", "JSON_INVALID")]),
    ('{"kind": "llvm", "num-cores": 1e999}', "JSON_INVALID", [("/num-cores", "JSON_INVALID")]),
    ('{"num-cores": ' + "9" * 5000 + "}", "JSON_INVALID", []),
    ('{"num-cores": 9007199254740992}', "JSON_INVALID", [("/num-cores", "JSON_INVALID")]),
    ('{"num-cores": 1e22}', "JSON_INVALID", [("/num-cores", "JSON_INVALID")]),
    ('{"model": "\\ud800"}', "JSON_INVALID", [("/model", "JSON_INVALID")]),
    ('{"model": "a\\u0000b"}', "JSON_INVALID", [("/model", "JSON_INVALID")]),
    ("[" * 60_000, "TOO_DEEP", []),
    ('{"a":' * 97 + "1" + "}" * 97, "TOO_DEEP", []),
    ('{"model": "' + "x" * 65 * 1024 + '"}', "TOO_LARGE", []),
    ('{"mattr": [' + '"+avx",' * 10_000 + '"+avx"]}', "TOO_LARGE", []),
]

UNFIT: list[tuple[Any, str, list[tuple[str, str]]]] = [
    ("text", BAD, [("", BAD)]),
    (LLVM | {"num-core": 4}, BAD, [("/num-core", "OPTION_UNKNOWN")]),
    (LLVM | {"num-cores": "x"}, BAD, [("/num-cores", "VALUE_TYPE")]),
    (LLVM | {"num-cores": True}, BAD, [("/num-cores", "VALUE_TYPE")]),
    (LLVM | {"num-cores": 4.0}, BAD, [("/num-cores", "VALUE_TYPE")]),
    (LLVM | {"num-cores": 0}, BAD, [("/num-cores", "VALUE_RANGE")]),
    (LLVM | {"mcpu": "$(id)"}, BAD, [("/mcpu", "VALUE_PATTERN")]),
    (LLVM | {"feature.is_test": True}, BAD, [("/feature.is_test", "OPTION_UNKNOWN")]),
    (LLVM | {"from_device": 0}, BAD, [("/from_device", "OPTION_UNKNOWN")]),
    (LLVM | {"host": None}, BAD, [("/host", "EDIT_MISPLACED")]),
    (LLVM | {"mattr": {"$append": ["+a"]}}, BAD, [("/mattr", "EDIT_MISPLACED")]),
    ({"kind": "lvm"}, BAD, [("/kind", "KIND_UNKNOWN")]),
    ({"kind": "composite", "devices": []}, BAD, [("/devices", "OPTION_MISSING")]),
    ({"kind": "byoc", "devices": ["llvm"]}, BAD, [("", "OPTION_MISSING")]),
    (nested(17), "TOO_DEEP", []),
    (
        {"kind": "composite", "devices": ["acme/base"] * 513},
        "TOO_LARGE",
        [],
    ),
    (
        {"kind": "composite", "devices": [f"acme/t{at}" for at in range(65)]},
        "TOO_LARGE",
        [],
    ),
    ({"tag": "acme/base", "kind": "llvm"}, BAD, [("/kind", "KIND_BESIDE_TAG")]),
    ({"tag": ["acme/base", "acme/base"]}, "PARENT_INVALID", [("", "PARENT_INVALID")]),
    ({"tag": ["acme/patch", "acme/base"]}, "PARENT_INVALID", [("", "PARENT_INVALID")] * 2),
    (
        {"kind": "composite", "devices": ["acme/patch"]},
        "NOT_A_TARGET",
        [("/devices/0", "NOT_A_TARGET")],
    ),
    (
        {"tag": "acme/base", "mattr": {"$append": ["+a"], "x": 1}},
        "BODY_INVALID",
        [("/mattr", "EDIT_MIXED")],
    ),
    (
        {"tag": "acme/base", "mcpu": {"$append": ["+a"]}},
        "BODY_INVALID",
        [("/mcpu", "EDIT_WITHOUT_LIST")],
    ),
    (
        {"tag": "acme/base", "mattr": {"$append": "+a"}},
        "BODY_INVALID",
        [("/mattr/$append", "VALUE_TYPE")],
    ),
    ({"tag": "acme/nothing"}, BAD, [("", "TAG_UNKNOWN")]),
    ({"tag": "acme/base@7"}, BAD, [("", "VERSION_UNKNOWN")]),
    ({"tag": "acme/yanked@1.0.0"}, "PARENT_INVALID", [("", "PARENT_INVALID")]),
    ({"tag": "acme/board"}, "CYCLE", [("", "CYCLE")]),
    ({"tag": []}, BAD, [("", "REFERENCE_INVALID")]),
    ({"tag": None}, BAD, [("", "REFERENCE_INVALID")]),
    ({"tag": "llvm"}, BAD, [("", "REFERENCE_INVALID")]),
    ({"tag": ["acme/base"] * 17}, "TOO_LARGE", [("", "TOO_LARGE")]),
    (
        LLVM | {"executor": {"kind": "aot", "interface-api": "c"}, "runtime": "crt"},
        "BODY_INVALID",
        [("/executor", "CALLS_DISAGREE")],
    ),
    (
        {"kind": "cuda", "arch": "sm_90", "host": nested(1)},
        "BODY_INVALID",
        [("/host", "HOST_NOT_LEAF")],
    ),
]


@pytest.fixture(scope="module", autouse=True)
def existing_rows(module_transaction: None) -> None:
    """Create a target, a mixin, a yanked target and the tag to publish."""
    make_acme()
    put("acme/base", LLVM | {"mattr": ["+avx2"]})
    put("acme/patch", {"executor": "aot"})
    put("acme/yanked", LLVM)
    put("acme/board", LLVM | {"num-cores": 2})
    yank("acme/yanked@1.0.0")


@pytest.mark.parametrize(("text", "code", "expected"), UNREADABLE)
def test_unreadable_body_is_rejected(
    post: Post, token: str, text: str, code: str, expected: list[tuple[str, str]]
) -> None:
    before = counts()
    headers = {"Authorization": f"Bearer {token}", "If-Match": '"1.0.0"'}
    response = post("versions/acme/board", f'{{"target": {text}}}', **headers)
    assert error_positions(problem(response, code)) == expected
    assert counts() == before


@pytest.mark.parametrize(("body", "code", "expected"), UNFIT)
def test_invalid_body_is_rejected(
    publish: Post, body: Any, code: str, expected: list[tuple[str, str]]
) -> None:
    before = counts()
    response = publish("acme/board", body, after="1.0.0")
    problem_details = problem(response, code)
    assert error_positions(problem_details) == expected
    for error in problem_details["errors"]:
        assert error["message"]
    assert counts() == before


@pytest.mark.parametrize(("body", "code", "expected"), UNFIT)
def test_check_reports_the_same_faults(
    post: Post, body: Any, code: str, expected: list[tuple[str, str]]
) -> None:
    response = post("check", {"tag": "acme/board", "target": body})
    data = response.json()
    assert response.status_code == 200
    assert data["valid"] is False
    assert data["errors"]
    assert error_positions(data) == (expected or [("", code)])


def test_unknown_option_names_the_nearest(publish: Post) -> None:
    data = publish("acme/board", LLVM | {"num-core": 4}, after="1.0.0").json()
    assert data["errors"][0]["suggestions"] == ["num-cores"]


def test_yanked_parent_states_the_reason(publish: Post) -> None:
    data = publish("acme/board", {"tag": "acme/yanked@1.0.0"}, after="1.0.0").json()
    assert "wrong figures" in data["errors"][0]["message"]


@pytest.mark.parametrize(("size", "valid"), [(64 * 1024, True), (64 * 1024 + 1, False)])
def test_size_limit_counts_the_body_only(post: Post, size: int, *, valid: bool) -> None:
    inner = '"kind":"llvm","mcpu":"haswell"'
    body = "{" + " " * (size - len(inner) - 2) + inner + "}"
    data = post("check", f'{{"tag": "acme/x", "target": {body}}}').json()
    assert data["valid"] is valid
    assert [error["code"] for error in data["errors"]] == ([] if valid else ["TOO_LARGE"])


def test_nesting_limit_counts_the_body_only(post: Post) -> None:
    def request(levels: int) -> str:
        inner = '{"a":' * (levels - 1) + "1" + "}" * (levels - 1)
        return f'{{"tag": "acme/x", "target": {{"kind": "llvm", "x": {inner}}}}}'

    assert error_positions(post("check", request(96)).json()) == [("/x", "OPTION_UNKNOWN")]
    problem(post("check", request(97)), "TOO_DEEP")
