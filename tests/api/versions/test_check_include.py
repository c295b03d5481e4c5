"""POST check?include=impact,near: what publishing would mean for others."""

import json
from typing import Any

import pytest

from tests.api.conftest import Post
from tests.api.problems import problem
from tests.publishing import counts, publish as publish_body

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BASE = {"kind": "llvm", "mtriple": "riscv64-unknown-elf", "mcpu": "sifive-u74", "num-cores": 4}


def verdict(post: Post, include: str, tag: str, target: Any, **headers: str) -> dict[str, Any]:
    response = post(f"check?include={include}", {"tag": tag, "target": target}, **headers)
    assert response.status_code == 200, response.content
    found: dict[str, Any] = json.loads(response.content)
    return found


def test_impact_lists_dependents_with_bump_and_diff(post: Post) -> None:
    publish_body("acme/base", BASE)
    publish_body("acme/board", {"tag": "acme/base", "model": "board"})
    before = counts()
    found = verdict(post, "impact", "acme/base", BASE | {"num-cores": 8})
    assert found["version"] == "2.0.0"
    (effect,) = found["impact"]["results"]
    assert effect["reference"] == "acme/board@1.0.0"
    assert (effect["valid"], effect["version"], effect["bump"]) == (True, "2.0.0", "MAJOR")
    assert [change["pointer"] for change in effect["diff"]] == ["/num-cores"]
    assert found["impact"]["counts"] == {"MAJOR": 1}
    assert (found["impact"]["downstream"], found["impact"]["complete"]) == (1, True)
    assert "near" not in found
    assert counts() == before


def test_near_duplicates_come_with_the_diff(post: Post) -> None:
    publish_body("acme/base", BASE)
    found = verdict(post, "near", "acme/other", BASE | {"num-cores": 8})
    assert found["near"] == [
        {
            "reference": "acme/base@1.0.0",
            "diff": [
                {
                    "pointer": "/num-cores",
                    "old": {"value": 4, "from": "acme/base@1.0.0"},
                    "new": {"value": 8, "from": None},
                    "consumers": found["near"][0]["diff"][0]["consumers"],
                    "affects_tuning": True,
                }
            ],
        }
    ]
    assert "impact" not in found


def test_both_and_neither(post: Post) -> None:
    assert {"impact", "near"} <= verdict(post, "impact,near", "acme/base", BASE).keys()
    assert not {"impact", "near"} & verdict(post, "", "acme/base", BASE).keys()


def test_dependent_that_would_break_says_where(post: Post) -> None:
    publish_body("acme/base", BASE | {"mattr": ["+c"]})
    publish_body("acme/board", {"tag": "acme/base", "mattr": {"$append": ["+v"]}})
    found = verdict(post, "impact", "acme/base", {"kind": "cuda", "arch": "sm_80"})
    (effect,) = found["impact"]["results"]
    assert (effect["valid"], effect["bump"], effect["version"]) == (False, None, None)
    assert [error["pointer"] for error in effect["errors"]] == ["/mattr"]
    assert found["impact"]["counts"] == {"REFUSED": 1}


def test_twenty_rows_without_a_token(post: Post, token: str) -> None:
    publish_body("acme/base", BASE)
    for at in range(22):
        publish_body(f"acme/board-{at}", {"tag": "acme/base", "model": f"board-{at}"})
    body = BASE | {"num-cores": 8}
    found = verdict(post, "impact", "acme/base", body)["impact"]
    assert (len(found["results"]), found["downstream"], found["complete"]) == (20, 22, False)
    header = {"Authorization": f"Bearer {token}"}
    found = verdict(post, "impact", "acme/base", body, **header)["impact"]
    assert (len(found["results"]), found["complete"]) == (22, True)


def test_invalid_body_has_no_impact(post: Post) -> None:
    found = verdict(post, "impact,near", "acme/base", {"kind": "lvm"})
    assert (found["valid"], found["impact"], found["near"]) == (False, None, None)


@pytest.mark.parametrize("include", ["imapct", "near,all", "impact near"])
def test_unknown_part_is_refused_with_the_nearest(post: Post, include: str) -> None:
    response = post(f"check?include={include}", {"tag": "acme/base", "target": BASE})
    found = problem(response, "REQUEST_INVALID")
    assert "impact, near" in found["errors"][0]["expected"]
