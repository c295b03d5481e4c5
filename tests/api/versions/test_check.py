"""Tests of POST check."""

from typing import Any

import pytest

from registry.services.kinds import kinds
from tests.api.conftest import Post
from tests.api.problems import error_positions, problem
from tests.publishing import publish as put

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme"), pytest.mark.any_database]

BOARD = {"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mcpu": "cortex-a72", "num-cores": 4}


def test_valid_body_shows_what_publishing_would_do(post: Post) -> None:
    put("acme/board", BOARD)
    data = post("check", {"tag": "acme/board", "target": BOARD | {"num-cores": 8}}).json()
    assert data["valid"] is True
    assert data["target"] == BOARD | {"num-cores": 8}
    assert (data["version"], data["bump"]) == ("2.0.0", "MAJOR")
    assert data["diff"] == [
        {
            "pointer": "/num-cores",
            "old": {"value": 4, "from": "acme/board@1.0.0"},
            "new": {"value": 8, "from": None},
            "consumers": ["tuning"],
            "affects_tuning": True,
        }
    ]
    assert list(data["tuning_keys"]) == [""]
    assert data["errors"] == []
    assert [lint["code"] for lint in data["lints"]] == ["TRIPLE_MISREAD"]
    message = "LLVM 22 reads aarch64-linux-gnu as aarch64-unknown-linux-gnu"
    assert data["notes"] == [{"pointer": "/mtriple", "message": message}]


def test_unchanged_body_has_no_version(post: Post) -> None:
    put("acme/board", BOARD)
    data = post("check", {"tag": "acme/board", "target": BOARD}).json()
    assert (data["valid"], data["version"], data["bump"]) == (True, None, None)


def test_lints_do_not_make_a_body_invalid(post: Post) -> None:
    body = {
        "kind": "cuda",
        "flow": {"my.pass": 1},
        "hardware": {"cores": 3},
        "host": {"kind": "c", "host": "c"},
    }
    data = post("check", {"tag": "acme/gpu", "target": body}).json()
    assert data["valid"] is True
    lints = [(lint["pointer"], lint["code"]) for lint in data["lints"]]
    assert sorted(lints) == [
        ("", "HOST_DEPENDENT"),
        ("/flow/my.pass", "FLOW_UNKNOWN"),
        ("/hardware", "HARDWARE_UNSOURCED"),
        ("/host/host", "HOST_OF_HOST"),
    ]


def test_invalid_tag_is_rejected(post: Post) -> None:
    problem(post("check", {"tag": "Acme", "target": BOARD}), "REFERENCE_INVALID")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"tag": "acme/x"}, [("/target", "REQUEST_INVALID")]),
        ({"target": BOARD}, [("/tag", "REQUEST_INVALID")]),
        ({"tag": 5, "target": BOARD}, [("/tag", "REQUEST_INVALID")]),
        ({"tag": "acme/x", "targt": {}, "target": {}}, [("/targt", "REQUEST_INVALID")]),
        ({"tag": "acme/x", "format": "tvm"}, [("/source", "REQUEST_INVALID")]),
        (
            {"tag": "acme/x", "target": BOARD, "format": "tvm", "source": "llvm"},
            [("/format", "REQUEST_INVALID"), ("/source", "REQUEST_INVALID")],
        ),
        ({"tag": "acme/x", "format": 5, "source": "llvm"}, [("/format", "REQUEST_INVALID")]),
    ],
)
def test_missing_or_unknown_member_is_rejected(
    post: Post, value: Any, expected: list[tuple[str, str]]
) -> None:
    assert error_positions(problem(post("check", value), "REQUEST_INVALID")) == expected


@pytest.mark.parametrize(
    "text", [" ", "[]", "5", "{", '{"tag": "a/b", "tag": "a/c"}', b"\xff", "{'a': 1}", "\ufeff{}"]
)
def test_request_must_be_a_json_object(post: Post, text: str | bytes) -> None:
    problem(post("check", text), "JSON_INVALID")


def test_family_needs_no_number_of_cores(post: Post) -> None:
    body = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "haswell"}
    for family, codes in ((True, []), (False, ["NUM_CORES_MISSING"])):
        data = post("check", {"tag": "acme/cpus", "target": body, "family": family}).json()
        assert [lint["code"] for lint in data["lints"]] == codes
    wrong = post("check", {"tag": "acme/cpus", "target": body, "family": 1})
    assert error_positions(problem(wrong, "REQUEST_INVALID")) == [("/family", "REQUEST_INVALID")]


def test_a_registry_without_kinds_says_so(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "_newest_revisions", tuple)
    for body in ({"kind": "llvm", "flow": {"a.b": 1}}, {"flow": {"a.b": 1}}):
        data = post("check", {"tag": "acme/board", "target": body}).json()
        assert data["valid"] is False
        assert ("/flow", "KIND_UNKNOWN") in {
            (error["pointer"], error["code"]) for error in data["errors"]
        }
