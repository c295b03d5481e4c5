"""POST check."""

from typing import Any

import pytest

from tests.api.conftest import Post
from tests.api.problems import places, problem
from tests.publishing import publish as put

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BOARD = {"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mcpu": "cortex-a72", "num-cores": 4}


def test_valid_body_shows_what_publishing_would_do(post: Post) -> None:
    put("acme/board", BOARD)
    found = post("check", {"tag": "acme/board", "target": BOARD | {"num-cores": 8}}).json()
    assert found["valid"] is True
    assert found["target"] == BOARD | {"num-cores": 8}
    assert (found["version"], found["bump"]) == ("2.0.0", "MAJOR")
    assert found["diff"] == [
        {
            "pointer": "/num-cores",
            "old": {"value": 4, "from": "acme/board@1.0.0"},
            "new": {"value": 8, "from": None},
            "consumers": ["tuning"],
            "affects_tuning": True,
        }
    ]
    assert list(found["tuning_keys"]) == [""]
    assert (found["errors"], found["lints"], found["notes"]) == ([], [], [])


def test_same_body_again_has_no_version(post: Post) -> None:
    put("acme/board", BOARD)
    found = post("check", {"tag": "acme/board", "target": BOARD}).json()
    assert (found["valid"], found["version"], found["bump"]) == (True, None, None)


def test_lints_warn_and_do_not_refuse(post: Post) -> None:
    body = {
        "kind": "cuda",
        "flow": {"my.pass": 1},
        "hardware": {"cores": 3},
        "host": {"kind": "llvm", "mcpu": "haswell", "host": "c"},
    }
    found = post("check", {"tag": "acme/gpu", "target": body}).json()
    assert found["valid"] is True
    lints = [(lint["pointer"], lint["code"]) for lint in found["lints"]]
    assert sorted(lints) == [
        ("", "HOST_DEPENDENT"),
        ("/flow/my.pass", "FLOW_UNKNOWN"),
        ("/hardware", "HARDWARE_UNSOURCED"),
        ("/host/host", "HOST_OF_HOST"),
    ]


def test_tag_that_is_none_is_refused(post: Post) -> None:
    problem(post("check", {"tag": "Acme", "target": BOARD}), "REFERENCE_INVALID")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"tag": "acme/x"}, [("/target", "REQUEST_INVALID")]),
        ({"target": BOARD}, [("/tag", "REQUEST_INVALID")]),
        ({"tag": 5, "target": BOARD}, [("/tag", "REQUEST_INVALID")]),
        ({"tag": "acme/x", "targt": {}, "target": {}}, [("/targt", "REQUEST_INVALID")]),
        ({"tag": "acme/x", "format": "tvm"}, [("/source", "REQUEST_INVALID")]),
        ({"tag": "acme/x", "source": "llvm"}, [("/format", "REQUEST_INVALID")]),
        (
            {"tag": "acme/x", "target": BOARD, "format": "tvm", "source": "llvm"},
            [("/format", "REQUEST_INVALID"), ("/source", "REQUEST_INVALID")],
        ),
        ({"tag": "acme/x", "format": 5, "source": "llvm"}, [("/format", "REQUEST_INVALID")]),
    ],
)
def test_request_that_says_too_little_or_too_much(
    post: Post, value: Any, expected: list[tuple[str, str]]
) -> None:
    assert places(problem(post("check", value), "REQUEST_INVALID")) == expected


@pytest.mark.parametrize(
    "text", [" ", "[]", "5", "{", '{"tag": "a/b", "tag": "a/c"}', b"\xff", "{'a': 1}", "\ufeff{}"]
)
def test_request_that_is_no_json_object(post: Post, text: str | bytes) -> None:
    problem(post("check", text), "JSON_INVALID")
