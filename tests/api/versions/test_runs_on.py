"""Tests of GET runs-on/<built for>...<machine> and POST runs-on."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.domain.reference import Tag as TagName
from registry.models import User, Version
from registry.services.core.permissions import Actor
from registry.services.tags import deprecation
from tests.api.problems import problem
from tests.people import make_acme
from tests.publishing import publish, yank

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

LINUX = "x86_64-unknown-linux-gnu"
HASWELL = {"kind": "llvm", "mtriple": LINUX, "mcpu": "haswell"}
NEHALEM = {"kind": "llvm", "mtriple": LINUX, "mcpu": "nehalem"}
CUDA = {"kind": "cuda", "arch": "sm_80"}


@pytest.fixture(scope="module", autouse=True)
def machines(module_transaction: None) -> None:
    make_acme()
    publish("acme/new", HASWELL)
    publish("acme/old", NEHALEM)


def ask(client: Client, body: Any) -> Any:
    return client.post("/api/v1/runs-on", body, content_type="application/json")


def test_the_answer_has_the_documented_shape(client: Client) -> None:
    data = client.get("/api/v1/runs-on/acme/new...acme/old@1.0.0").json()
    loader, emitted, guarded = data.pop("dimensions")
    assert loader == {
        "dimension": "loader",
        "verdict": "yes",
        "reason": "Architecture, system, C library and calling convention are the same.",
        "pointers": {"built_for": "/mtriple", "machine": "/mtriple"},
        "conditions": [],
    }
    assert (emitted["dimension"], emitted["verdict"]) == ("emitted-instructions", "no")
    assert (guarded["dimension"], guarded["verdict"]) == ("guarded-instructions", "conditional")
    assert guarded["conditions"][0] == {"name": "feature", "value": "fsgsbase", "at_least": ""}
    assert data == {
        "built_for": "acme/new@1.0.0",
        "machine": "acme/old@1.0.0",
        "verdict": "no",
        "reason": emitted["reason"],
        "conditions": [],
        "warnings": [],
    }


@pytest.mark.parametrize(
    ("pair", "verdict"),
    [
        ("acme/old...acme/new", "yes"),
        ("acme/new...acme/old", "no"),
        ("acme/new...acme/new", "yes"),
    ],
)
def test_the_order_of_a_pair_counts(client: Client, pair: str, verdict: str) -> None:
    assert client.get(f"/api/v1/runs-on/{pair}").json()["verdict"] == verdict


def test_a_pair_takes_two_queries(client: Client) -> None:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        client.get("/api/v1/runs-on/acme/new...acme/old")
    assert len(queries) == 2


def test_exact_pairs_may_be_cached_and_floating_ones_are_revalidated(client: Client) -> None:
    exact = client.get("/api/v1/runs-on/acme/new@1.0.0...acme/old@1.0.0")
    assert exact["Cache-Control"] == "public, max-age=300"
    again = client.get(
        "/api/v1/runs-on/acme/new@1.0.0...acme/old@1.0.0", HTTP_IF_NONE_MATCH=exact["ETag"]
    )
    assert again.status_code == 304
    floating = client.get("/api/v1/runs-on/acme/new...acme/old@1.0.0")
    assert floating["Cache-Control"] == "public, max-age=0, must-revalidate"


def test_references_and_bodies_are_judged_alike(client: Client) -> None:
    by_reference = ask(client, {"built_for": "acme/new", "machine": "acme/old"}).json()
    by_body = ask(client, {"built_for": HASWELL, "machine": NEHALEM}).json()
    assert by_body["dimensions"] == by_reference["dimensions"]
    assert (by_reference["built_for"], by_body["built_for"]) == ("acme/new@1.0.0", None)


def test_a_body_is_resolved_with_its_parents_and_not_stored(client: Client) -> None:
    before = Version.objects.count()
    body = {"tag": "acme/old@1", "mattr": ["+avx2"]}
    response = ask(client, {"built_for": body, "machine": "acme/old"})
    assert response["Cache-Control"] == "no-store"
    assert response.json()["verdict"] == "no"
    assert Version.objects.count() == before


def test_options_say_what_the_asker_knows(client: Client) -> None:
    hopper = {"kind": "cuda", "arch": "sm_90"}
    question: dict[str, Any] = {"built_for": CUDA, "machine": hopper}
    assert ask(client, question).json()["verdict"] == "conditional"
    both = question | {"options": {"ships": ["cubin", "ptx"], "driver": "570.26"}}
    assert ask(client, both).json()["verdict"] == "yes"
    alone = question | {"options": {"ships": ["cubin"]}}
    assert ask(client, alone).json()["verdict"] == "no"


def test_options_of_a_query(client: Client) -> None:
    publish("acme/gpu", CUDA)
    publish("acme/gpu:next", {"kind": "cuda", "arch": "sm_90"})
    path = "/api/v1/runs-on/acme/gpu...acme/gpu:next"
    assert client.get(f"{path}?ships=cubin,ptx&driver=570.26").json()["verdict"] == "yes"
    assert client.get(f"{path}?ships=cubin").json()["verdict"] == "no"
    strict = client.get("/api/v1/runs-on/acme/new...acme/old?strict=false")
    assert strict.json()["verdict"] == "no"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("ships=fatbin", "a list of some of cubin, ptx"),
        ("driver=new", "the version of NVIDIA's driver"),
        ("toolkit=12.8.1.2.3", "the version of CUDA"),
        ("strict=maybe", "true or false"),
        ("compiler=rustc", "one of tvm, iree, clang"),
    ],
)
def test_wrong_parameters_say_what_was_expected(client: Client, query: str, expected: str) -> None:
    response = client.get(f"/api/v1/runs-on/acme/new...acme/old?{query}")
    (error,) = problem(response, "REQUEST_INVALID")["errors"]
    assert error["message"].startswith(query.partition("=")[0])
    assert error["expected"].startswith(expected)


@pytest.mark.parametrize(
    ("options", "near"),
    [
        ({"compiler": "clnag"}, ["clang"]),
        ({"compilr": "clang"}, ["compiler"]),
        ({"compiler": "rustc"}, []),
        ({"driver": "clang"}, []),
    ],
)
def test_a_misspelt_option_brings_what_resembles_it(
    client: Client, options: dict[str, str], near: list[str]
) -> None:
    response = ask(client, {"built_for": CUDA, "machine": CUDA, "options": options})
    (error,) = problem(response, "REQUEST_INVALID")["errors"]
    assert error.get("suggestions", []) == near


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("acme/new...acme/nothing", 404, "TAG_UNKNOWN"),
        ("acme/new...acme/old@9", 404, "VERSION_UNKNOWN"),
        ("acme/new", 400, "FILTER_INVALID"),  # a list, without its direction
        ("acme/new...", 400, "REFERENCE_INVALID"),
        ("acme/new...acme/old...acme/new", 400, "REFERENCE_INVALID"),
        ("acme/new...acme/old?machine=acme/old", 400, "REQUEST_INVALID"),
    ],
)
def test_bad_pairs_are_refused(client: Client, path: str, status: int, code: str) -> None:
    response = client.get(f"/api/v1/runs-on/{path}")
    assert response.status_code == status
    problem(response, code)


@pytest.mark.parametrize("ships", ["", "ptx", {}, {"ptx": 1}, [1], [["ptx"]], None, True])
def test_forms_of_files_are_a_list(client: Client, ships: Any) -> None:
    question = {"built_for": CUDA, "machine": CUDA, "options": {"ships": ships}}
    (error,) = problem(ask(client, question), "REQUEST_INVALID")["errors"]
    assert error["pointer"] == "/options/ships"


@pytest.mark.parametrize("ships", [[], ["ptx"], ["ptx", "ptx"], ["cubin", "ptx"]])
def test_a_list_of_known_forms_is_accepted(client: Client, ships: list[str]) -> None:
    question = {"built_for": CUDA, "machine": CUDA, "options": {"ships": ships}}
    assert ask(client, question).status_code == 200


def test_two_large_bodies_are_refused_unread(client: Client) -> None:
    large = {**HASWELL, "mattr": ["+avx2"] * 50_000}
    problem(ask(client, {"built_for": large, "machine": large}), "TOO_LARGE")
    whole = {**HASWELL, "mattr": ["+avx2"] * 9_000}  # above what a body may have
    response = ask(client, {"built_for": whole, "machine": whole})
    pointers = [error["pointer"] for error in problem(response, "TOO_LARGE")["errors"]]
    assert pointers == ["/built_for", "/machine"]


def test_a_family_is_judged_as_the_target_that_it_has(client: Client) -> None:
    family = publish("acme/family", HASWELL).tag
    family.is_family = True
    family.save()
    for pair, verdict in {"acme/old...acme/family": "yes", "acme/family...acme/old": "no"}.items():
        assert client.get(f"/api/v1/runs-on/{pair}").json()["verdict"] == verdict


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({"built_for": "acme/new"}, ["/machine"]),
        ({"built_for": "acme/nothing", "machine": "no reference"}, ["/built_for", "/machine"]),
        ({"built_for": {"kind": "lvm"}, "machine": "acme/old"}, ["/built_for/kind"]),
        ({"built_for": 5, "machine": "acme/old"}, ["/built_for"]),
        ({"built_for": {**HASWELL, "mcpu": 5}, "machine": "acme/old"}, ["/built_for/mcpu"]),
        (
            {"built_for": "acme/new", "machine": "acme/old", "options": {"ship": []}},
            ["/options/ship"],
        ),
        (
            {"built_for": "acme/new", "machine": "acme/old", "options": {"a/b": 1, "ships": {}}},
            ["/options/a~1b", "/options/ships"],
        ),
        ({"built_for": "acme/new", "machine": "acme/old", "options": 3}, ["/options"]),
        ({"built_for": "acme/new", "machine": "acme/old", "on": 3}, ["/on"]),
    ],
)
def test_bad_questions_name_every_fault(
    client: Client, body: dict[str, Any], pointers: list[str]
) -> None:
    response = ask(client, body)
    assert response.status_code in (400, 404, 422)
    assert [error["pointer"] for error in response.json()["errors"]] == pointers


@pytest.mark.parametrize(
    ("machine", "code"),
    [
        ("no reference", "REFERENCE_INVALID"),
        ("acme/nothing", "TAG_UNKNOWN"),
        ("acme/old@9", "VERSION_UNKNOWN"),
        (5, "BODY_INVALID"),
        ({"kind": "lvm"}, "BODY_INVALID"),
        ({"kind": "llvm", "mcpu": 5, "num-corse": 4}, "BODY_INVALID"),
        ({"tag": "acme/nothing"}, "BODY_INVALID"),
        ({"tag": ["acme/old", "acme/new"]}, "PARENT_INVALID"),
        ({"kind": "llvm", "cl-opt": ["-load=x"]}, "OPTION_UNSAFE"),
    ],
)
def test_one_wrong_side_keeps_its_code(client: Client, machine: Any, code: str) -> None:
    answer = problem(ask(client, {"built_for": "acme/new", "machine": machine}), code)
    assert all(error["pointer"].startswith("/machine") for error in answer["errors"])
    both = ask(client, {"built_for": "acme/new", "machine": machine, "options": 3})
    problem(both, "REQUEST_INVALID")


def test_a_reusable_patch_is_unknown_and_says_why(client: Client) -> None:
    publish("acme/aot", {"executor": "aot"})
    data = client.get("/api/v1/runs-on/acme/aot...acme/old").json()
    assert data["verdict"] == "unknown"
    assert "reusable patch" in data["reason"]


@pytest.mark.parametrize("path", ["runs-on", "diff"])
def test_each_unknown_side_is_named(client: Client, path: str) -> None:
    response = client.get(f"/api/v1/{path}/acme/nothing...acme/old@9")
    errors = problem(response, "TAG_UNKNOWN")["errors"]
    assert [(error["code"], error["found"]) for error in errors] == [
        ("TAG_UNKNOWN", "acme/nothing"),
        ("VERSION_UNKNOWN", "acme/old@9"),
    ]
    one = client.get(f"/api/v1/{path}/acme/nothing...acme/old")
    assert problem(one, "TAG_UNKNOWN")["errors"] == []
    body = {"built_for": "acme/nothing", "machine": "acme/old@9"}
    errors = problem(ask(client, body), "REQUEST_INVALID")["errors"]
    assert [error["pointer"] for error in errors] == ["/built_for", "/machine"]


def test_versions_that_were_withdrawn_are_said(client: Client, alice: User) -> None:
    publish("acme/gone", HASWELL)
    publish("acme/superseded", HASWELL)
    yank("acme/gone@1.0.0", reason="wrong CPU")
    tag, successor = map(TagName.parse, ("acme/superseded", "acme/new"))
    deprecation.deprecate(tag, reason="old", successor=successor, actor=Actor.operator(alice))
    pair = {"built_for": "acme/gone@1.0.0", "machine": "acme/superseded"}
    by_get = client.get("/api/v1/runs-on/acme/gone@1.0.0...acme/superseded").json()
    assert by_get == ask(client, pair).json()
    assert by_get["warnings"] == [
        {
            "code": "YANKED",
            "message": "acme/gone@1.0.0 was yanked: wrong CPU",
            "reference": "acme/gone@1.0.0",
        },
        {
            "code": "DEPRECATED",
            "message": "acme/superseded is deprecated: old",
            "successor": "acme/new",
            "reference": "acme/superseded@1.0.0",
        },
    ]
    assert (
        ask(client, pair | {"built_for": HASWELL, "machine": "acme/old"}).json()["warnings"] == []
    )
    page = client.get("/runs-on", pair).content.decode()
    assert "acme/gone@1.0.0 was yanked: wrong CPU" in page
    assert "acme/superseded is deprecated: old" in page
    fine = {"built_for": "acme/new", "machine": "acme/old"}
    assert "was yanked" not in client.get("/runs-on", fine).content.decode()
