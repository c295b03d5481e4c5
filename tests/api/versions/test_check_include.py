"""Tests of POST check?include=impact,near,tuning."""

import hashlib
import json
from typing import Any

import pytest
import rfc8785

from registry.services.versions import checking
from tests.api.conftest import Post
from tests.api.problems import problem
from tests.publishing import counts, publish as publish_body

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BASE = {"kind": "llvm", "mtriple": "riscv64-unknown-elf", "mcpu": "sifive-u74", "num-cores": 4}


def verdict(post: Post, include: str, tag: str, target: Any, **headers: str) -> dict[str, Any]:
    response = post(f"check?include={include}", {"tag": tag, "target": target}, **headers)
    assert response.status_code == 200, response.content
    data: dict[str, Any] = json.loads(response.content)
    return data


def test_impact_lists_dependents_with_bump_and_diff(post: Post) -> None:
    publish_body("acme/base", BASE)
    publish_body("acme/board", {"tag": "acme/base", "model": "board"})
    before = counts()
    result = verdict(post, "impact", "acme/base", BASE | {"num-cores": 8})
    assert result["version"] == "2.0.0"
    (effect,) = result["impact"]["results"]
    assert effect["reference"] == "acme/board@1.0.0"
    assert (effect["valid"], effect["version"], effect["bump"]) == (True, "2.0.0", "MAJOR")
    assert [change["pointer"] for change in effect["diff"]] == ["/num-cores"]
    assert result["impact"]["counts"] == {"MAJOR": 1}
    assert (result["impact"]["downstream"], result["impact"]["complete"]) == (1, True)
    assert "near" not in result
    assert counts() == before


def test_near_duplicates_have_a_diff(post: Post) -> None:
    publish_body("acme/base", BASE)
    result = verdict(post, "near", "acme/other", BASE | {"num-cores": 8})
    assert result["near"] == [
        {
            "reference": "acme/base@1.0.0",
            "diff": [
                {
                    "pointer": "/num-cores",
                    "old": {"value": 4, "from": "acme/base@1.0.0"},
                    "new": {"value": 8, "from": None},
                    "consumers": result["near"][0]["diff"][0]["consumers"],
                    "affects_tuning": True,
                }
            ],
        }
    ]
    assert "impact" not in result


def test_include_may_have_both_parts_or_none(post: Post) -> None:
    assert {"impact", "near"} <= verdict(post, "impact,near", "acme/base", BASE).keys()
    assert not {"impact", "near"} & verdict(post, "", "acme/base", BASE).keys()


def test_dependent_that_would_break_has_a_pointer(post: Post) -> None:
    publish_body("acme/base", BASE | {"mattr": ["+c"]})
    publish_body("acme/board", {"tag": "acme/base", "mattr": {"$append": ["+v"]}})
    result = verdict(post, "impact", "acme/base", {"kind": "cuda", "arch": "sm_80"})
    (effect,) = result["impact"]["results"]
    assert (effect["valid"], effect["bump"], effect["version"]) == (False, None, None)
    assert [error["pointer"] for error in effect["errors"]] == ["/mattr"]
    assert result["impact"]["counts"] == {"REFUSED": 1}


def test_impact_has_twenty_rows_without_a_token(post: Post, token: str) -> None:
    publish_body("acme/base", BASE)
    for number in range(22):
        publish_body(f"acme/board-{number}", {"tag": "acme/base", "model": f"board-{number}"})
    body = BASE | {"num-cores": 8}
    result = verdict(post, "impact", "acme/base", body)["impact"]
    assert (len(result["results"]), result["downstream"], result["complete"]) == (20, 22, False)
    header = {"Authorization": f"Bearer {token}"}
    result = verdict(post, "impact", "acme/base", body, **header)["impact"]
    assert (len(result["results"]), result["complete"]) == (22, True)


def test_tuning_is_what_the_keys_digest(post: Post) -> None:
    host = {"kind": "llvm", "mcpu": "sifive-u74"}  # without a key: TVM completes the triple
    result = verdict(post, "tuning", "acme/base", BASE | {"host": host})
    digests = {
        pointer: f"tk1:{hashlib.sha256(rfc8785.dumps(preimage)).hexdigest()}"
        for pointer, preimage in result["tuning"].items()
    }
    assert digests == result["tuning_keys"]
    assert digests.keys() == {""}
    assert result["tuning"][""]["num-cores"] == 4
    assert "tuning" not in verdict(post, "", "acme/base", BASE)


def test_tuning_has_no_more_than_the_format(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "MAX_PREIMAGES", 100)
    assert verdict(post, "tuning", "acme/base", BASE)["tuning"] is None


def test_invalid_body_has_no_impact(post: Post) -> None:
    result = verdict(post, "impact,near", "acme/base", {"kind": "lvm"})
    assert (result["valid"], result["impact"], result["near"]) == (False, None, None)
    assert verdict(post, "tuning", "acme/base", {"kind": "lvm"})["tuning"] is None


@pytest.mark.parametrize("include", ["imapct", "near,all", "impact near"])
def test_unknown_include_suggests_the_nearest(post: Post, include: str) -> None:
    response = post(f"check?include={include}", {"tag": "acme/base", "target": BASE})
    error = problem(response, "REQUEST_INVALID")
    assert "impact, near" in error["errors"][0]["expected"]
