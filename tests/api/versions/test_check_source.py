"""Tests of POST check with a format and a source."""

from typing import Any

import pytest
from django.test import Client

from registry.domain.importers import IMPORTERS
from tests.api.conftest import Post
from tests.api.problems import problem
from tests.publishing import row_counts

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme"), pytest.mark.any_database]

OLD = "llvm -mcpu=cortex-a72 -mtriple=aarch64-linux-gnu -link-params=1"


def check(post: Post, name: str, source: Any, tag: str = "acme/board", query: str = "") -> Any:
    before = row_counts()
    response = post(f"check{query}", {"tag": tag, "format": name, "source": source})
    assert response.status_code == 200, response.content[:300]
    assert row_counts() == before
    return response.json()


def test_all_documented_importers_exist() -> None:
    assert sorted(IMPORTERS) == ["archspec", "clang", "config", "iree", "tvm", "tvm-string"]
    assert all(result.summary.endswith(".") for result in IMPORTERS.values())


def test_text_becomes_a_body_with_notes_on_what_moved(post: Post) -> None:
    result = check(post, "tvm-string", OLD)
    assert result["valid"]
    assert result["body"] == {
        "kind": "llvm",
        "mcpu": "cortex-a72",
        "mtriple": "aarch64-linux-gnu",
        "flow": {"link-params": True},
    }
    assert result["target"] == result["body"]
    assert result["version"] == "1.0.0"
    assert any("link-params" in note["message"] for note in result["notes"])


@pytest.mark.parametrize(
    "source", [{"kind": "cuda", "arch": "sm_80"}, '{"kind": "cuda", "arch": "sm_80"}']
)
def test_json_source_may_be_a_value_or_text(post: Post, source: Any) -> None:
    result = check(post, "tvm", source)
    assert result["valid"]
    assert result["target"] == {"kind": "cuda", "arch": "sm_80"}
    assert result["notes"] == []


def test_imported_body_can_be_published(post: Post, publish: Post, client: Client) -> None:
    result = check(post, "tvm-string", "cuda -libs=cudnn -arch=sm_80")
    response = publish("acme/board", result["body"])
    assert response.status_code == 201
    assert response.json()["digest"] == result["digest"]
    stated = check(post, "tvm", {"kind": "cuda", "libs": ["cudnn"], "arch": "sm_80"})
    assert stated["digest"] == result["digest"]


def test_unreadable_source_is_invalid_and_has_no_body(post: Post) -> None:
    result = check(post, "tvm-string", "llvm -mcpu=a -mcpu=b", query="?include=near")
    assert not result["valid"]
    assert result["errors"][0]["code"]
    assert result["near"] is None
    assert "body" not in result


def test_invalid_imported_body_is_returned_with_its_faults(post: Post) -> None:
    result = check(post, "tvm", {"kind": "cuda", "archh": "sm_80"})
    assert not result["valid"]
    assert result["body"] == {"kind": "cuda", "archh": "sm_80"}
    (fault,) = result["errors"]
    assert (fault["pointer"], fault["code"]) == ("/archh", "OPTION_UNKNOWN")
    assert "arch" in fault["suggestions"]


RELAXED = [
    '{"kind": "llvm", // host\n "mcpu": "a"}',
    '/* old */ {"kind": "llvm"}',
    '{"kind": "llvm",\n}',
    '{"libs": ["a",],\n "kind": "llvm"}',
    '{"kind": "llvm"}\n# mine',
]


@pytest.mark.parametrize("text", RELAXED)
def test_comments_and_commas_after_last_items_are_left_out_with_a_note(
    post: Post, text: str
) -> None:
    result = check(post, "tvm", text)
    assert result["body"]["kind"] == "llvm"
    assert result["notes"][0]["message"].startswith("left out co")


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("llvm -mcpu=cortex-a53", "tvm-string"),
        ("Target('llvm -mcpu=cortex-a53')", "tvm"),
        ({"kind": "llvm"}, "tvm"),
        ({"targets": {"x": "llvm"}, "executors": {"": {"targets": "x"}}}, "config"),
        ("gcc -march=haswell", "clang"),
        ("--iree-hal-target-device=cuda --iree-cuda-target=sm_80", "iree"),
        ('#hal.executable.target<"llvm-cpu", "x", {cpu = "znver4"}>', "iree"),
    ],
)
def test_a_source_without_a_format_says_what_it_is(post: Post, source: Any, name: str) -> None:
    result = post("check", {"tag": "acme/board", "source": source}).json()
    note = {"pointer": "", "message": f"the format is not stated: read as {name}"}
    assert result["notes"][0] == note
    assert result["body"]["kind"]


@pytest.mark.parametrize(
    ("name", "source", "other"),
    [
        (
            "tvm-string",
            "clang -march=haswell",
            "a command line of a compiler such as clang or nvcc",
        ),
        ("tvm", "--iree-cuda-target=sm_80", "flags or attributes of IREE"),
        ("clang", "llvm -mcpu=haswell", "a command line of TVM"),
        ("iree", "Target('llvm')", "a target of TVM in JSON or Python"),
        ("clang", {"targets": {}, "executors": {}}, "a split configuration"),
    ],
)
def test_a_wrong_format_is_told_what_the_source_looks_like(
    post: Post, name: str, source: Any, other: str
) -> None:
    result = check(post, name, source)
    assert not result["valid"]
    assert any(f"this looks like {other}" in error["expected"] for error in result["errors"])


def test_unknown_importer_lists_the_existing_ones(post: Post) -> None:
    payload = {"tag": "acme/board", "format": "toml", "source": "x"}
    error = problem(post("check", payload), "FORMAT_UNKNOWN")
    assert error["suggestions"] == ["archspec", "clang", "config", "iree", "tvm", "tvm-string"]


@pytest.mark.parametrize("name", sorted(IMPORTERS))
@pytest.mark.parametrize("source", [None, 5, True, [], {}, "", " ", "\\", "{", [[]], {"a": []}])
def test_source_of_the_wrong_type_is_invalid(post: Post, name: str, source: Any) -> None:
    result = check(post, name, source)
    assert not result["valid"]
    assert result["errors"]
    assert all(error["message"] for error in result["errors"])


@pytest.mark.parametrize("name", sorted(IMPORTERS))
def test_long_text_is_imported_up_to_the_size_limit(post: Post, name: str) -> None:
    result = check(post, name, "llvm " + "x" * 65000)
    assert not result["valid"]
    assert len(str(result)) < 4000
    payload = {"tag": "acme/board", "format": name, "source": "x" * 140_000}
    problem(post("check", payload), "TOO_LARGE")
