"""POST check with a format and a source: other descriptions, read into bodies."""

from typing import Any

import pytest
from django.test import Client

from registry.domain.importers import IMPORTERS
from tests.api.conftest import Post
from tests.api.problems import problem
from tests.publishing import written

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme"), pytest.mark.any_database]

OLD = "llvm -mcpu=cortex-a72 -mtriple=aarch64-linux-gnu -link-params=1"


def check(post: Post, name: str, source: Any, tag: str = "acme/board", query: str = "") -> Any:
    before = written()
    response = post(f"check{query}", {"tag": tag, "format": name, "source": source})
    assert response.status_code == 200, response.content[:300]
    assert written() == before
    return response.json()


def test_the_importers_of_the_design_are_there() -> None:
    assert sorted(IMPORTERS) == ["config", "tvm", "tvm-string"]
    assert all(found.summary.endswith(".") for found in IMPORTERS.values())


def test_text_becomes_a_body_with_notes_on_what_moved(post: Post) -> None:
    found = check(post, "tvm-string", OLD)
    assert found["valid"]
    assert found["body"] == {
        "kind": "llvm",
        "mcpu": "cortex-a72",
        "mtriple": "aarch64-linux-gnu",
        "flow": {"link-params": True},
    }
    assert found["target"] == found["body"]
    assert found["version"] == "1.0.0"
    assert any("link-params" in note["message"] for note in found["notes"])


@pytest.mark.parametrize(
    "source", [{"kind": "cuda", "arch": "sm_80"}, '{"kind": "cuda", "arch": "sm_80"}']
)
def test_json_is_taken_as_json_or_as_its_text(post: Post, source: Any) -> None:
    found = check(post, "tvm", source)
    assert found["valid"]
    assert found["target"] == {"kind": "cuda", "arch": "sm_80"}
    assert found["notes"] == []


def test_the_body_that_was_read_can_be_published(post: Post, publish: Post, client: Client) -> None:
    found = check(post, "tvm-string", "cuda -libs=cudnn -arch=sm_80")
    response = publish("acme/board", found["body"])
    assert response.status_code == 201
    assert response.json()["digest"] == found["digest"]
    stated = check(post, "tvm", {"kind": "cuda", "libs": ["cudnn"], "arch": "sm_80"})
    assert stated["digest"] == found["digest"]


def test_a_source_that_cannot_be_read_is_invalid_and_has_no_body(post: Post) -> None:
    found = check(post, "tvm-string", "llvm -mcpu=a -mcpu=b", query="?include=near")
    assert not found["valid"]
    assert found["errors"][0]["code"]
    assert found["near"] is None
    assert "body" not in found


def test_a_body_that_breaks_rules_is_shown_beside_its_faults(post: Post) -> None:
    found = check(post, "tvm", {"kind": "cuda", "archh": "sm_80"})
    assert not found["valid"]
    assert found["body"] == {"kind": "cuda", "archh": "sm_80"}
    (fault,) = found["errors"]
    assert (fault["pointer"], fault["code"]) == ("/archh", "OPTION_UNKNOWN")
    assert "arch" in fault["suggestions"]


@pytest.mark.parametrize("name", ["tvm", "config"])
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"kind": "llvm", // host\n "mcpu": "a"}', ["a comment (//)", "line 1, column 18"]),
        ('{"kind": "llvm",\n}', ["a comma before }", "line 1, column 16"]),
        ('{"libs": ["a",],\n "kind": "llvm"}', ["a comma before ]", "line 1, column 14"]),
        ('{"kind": "llvm"}\n# mine', ["a comment (#)", "line 2, column 1"]),
        ('/* old */ {"kind": "llvm"}', ["a comment (/*)", "line 1, column 1"]),
    ],
)
def test_json_with_comments_or_trailing_commas_is_told_so(
    post: Post, name: str, text: str, words: list[str]
) -> None:
    found = check(post, name, text)
    assert [error["code"] for error in found["errors"]] == ["JSON_INVALID"]
    assert all(word in found["errors"][0]["message"] for word in words)


def test_an_importer_that_is_not_there_lists_those_that_are(post: Post) -> None:
    said = {"tag": "acme/board", "format": "toml", "source": "x"}
    found = problem(post("check", said), "FORMAT_UNKNOWN")
    assert found["suggestions"] == ["config", "tvm", "tvm-string"]


@pytest.mark.parametrize("name", sorted(IMPORTERS))
@pytest.mark.parametrize("source", [None, 5, True, [], {}, "", " ", "\\", "{", [[]], {"a": []}])
def test_a_source_of_the_wrong_form_is_invalid(post: Post, name: str, source: Any) -> None:
    found = check(post, name, source)
    assert not found["valid"]
    assert found["errors"]
    assert all(error["message"] for error in found["errors"])


@pytest.mark.parametrize("name", sorted(IMPORTERS))
def test_long_text_is_read_within_the_limit_of_a_request(post: Post, name: str) -> None:
    found = check(post, name, "llvm " + "x" * 65000)
    assert not found["valid"]
    assert len(str(found)) < 4000
    said = {"tag": "acme/board", "format": name, "source": "x" * 140_000}
    problem(post("check", said), "TOO_LARGE")
