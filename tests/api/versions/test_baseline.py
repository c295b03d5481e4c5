"""Tests of POST baseline."""

from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.domain.reference import Tag as TagName
from registry.models import Entry, User
from registry.services.core.permissions import Actor
from registry.services.tags import deprecation
from registry.services.versions import nearest_tags
from registry.services.versions.compiler_objections import objection_of
from tests.api.problems import problem
from tests.people import make_acme
from tests.publishing import publish, yank
from ttag_rules.compatibility.baseline import nearest as rules
from ttag_rules.compatibility.baseline.baseline import MAX_MACHINES

pytestmark = pytest.mark.django_db

LINUX = "x86_64-unknown-linux-gnu"


@pytest.fixture(scope="module", autouse=True)
def machines(module_transaction: None) -> None:
    make_acme()
    for name, mcpu in {"old": "haswell", "new": "znver4", "wide": "skylake-avx512"}.items():
        publish(f"acme/{name}", {"kind": "llvm", "mtriple": LINUX, "mcpu": mcpu})
    arm = {"kind": "llvm", "mtriple": "aarch64-unknown-linux-gnu", "mcpu": "neoverse-n1"}
    publish("acme/arm", arm)
    publish("acme/patch", {"executor": "aot"})
    haswell = {"kind": "llvm", "mtriple": LINUX, "mcpu": "haswell"}
    publish("acme/box", {**haswell, "hardware": {"vendor": "Acme"}})
    publish("acme/level", {**haswell, "mcpu": "x86-64-v3"})
    publish("acme/dsp", {"kind": "hexagon", "mcpu": "hexagonv68"})
    publish("acme/odd", {**haswell, "mattr": ["-fma"]})
    publish("acme/musl", {**haswell, "mtriple": "x86_64-unknown-linux-musl"})
    for name, arch in {"a100": "sm_80", "a10": "sm_86", "h100": "sm_90"}.items():
        publish(f"acme/{name}", {"kind": "cuda", "arch": arch})


def ask(client: Client, **body: Any) -> Any:
    return client.post("/api/v1/baseline", body, content_type="application/json")


def test_one_build_has_what_all_machines_have(client: Client) -> None:
    response = ask(client, machines=["acme/old", "acme/new", "acme/wide@1"])
    assert response["Cache-Control"] == "no-store"
    data = response.json()
    (build,) = data["builds"]
    assert build["target"] == {"kind": "llvm", "mtriple": LINUX, "mcpu": "haswell"}
    assert build["machines"] == ["acme/old@1.0.0", "acme/new@1.0.0", "acme/wide@1.0.0"]
    texts = [(loss["text"], loss["machines"]) for loss in build["losses"]]
    assert texts[0][0].startswith("AVX-512 (avx512f, ")
    assert [machines for _, machines in texts] == [["acme/new@1.0.0"], ["acme/wide@1.0.0"]]
    assert data["loss"] == sum(len(loss["features"]) for loss in build["losses"])
    assert data["optimal"] is True


def nearest(client: Client, *machines: str, **body: Any) -> list[list[tuple[Any, ...]]]:
    builds = ask(client, machines=machines, **body).json()["builds"]
    return [[tuple(tag.values()) for tag in build["nearest"]] for build in builds]


def test_a_tag_with_the_very_target_is_nearest_and_loses_as_much(client: Client) -> None:
    loss = ask(client, machines=["acme/old", "acme/new"]).json()["loss"]
    equal, alike = ("acme/old@1.0.0", loss, True), ("acme/box@1.0.0", loss, False)
    assert nearest(client, "acme/old", "acme/new")[0][:2] == [equal, alike]


def test_a_target_that_is_written_otherwise_is_as_near(client: Client) -> None:
    own = ask(client, machines=["acme/odd", "acme/new"]).json()
    assert own["builds"][0]["target"]["mcpu"] != "haswell"
    assert nearest(client, "acme/odd", "acme/new") == [[("acme/odd@1.0.0", own["loss"], False)]]


def test_what_does_not_run_on_all_machines_is_not_near(client: Client) -> None:
    gnu, musl = nearest(client, "acme/level", "acme/musl", builds=2)
    assert [name for name, *_ in gnu] == ["acme/level@1.0.0"]
    assert [name for name, *_ in musl] == ["acme/musl@1.0.0"]


def test_devices_of_tags_are_those_of_the_build(client: Client) -> None:
    assert nearest(client, "acme/a100", "acme/a10") == [[("acme/a100@1.0.0", 0, True)]]
    assert nearest(client, "acme/a100", "acme/h100") == [[]]


def test_a_build_has_so_many_near_tags_at_most(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearest_tags, "MAX_NEAREST", 1)
    assert [len(tags) for tags in nearest(client, "acme/old", "acme/new")] == [1]


@pytest.mark.parametrize("machines", [["acme/old"], ["acme/a100"], ["acme/old", "acme/a100"]])
@pytest.mark.parametrize("excess", [-1, 0, 1, 2])
def test_a_build_says_how_many_tags_were_not_compared(
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    machines: list[str],
    excess: int,
) -> None:
    own = Entry.objects.filter(text__in=machines).values_list("kind", "arch")
    alike = [Entry.objects.filter(kind=kind, arch=arch, status="active") for kind, arch in own]
    count = sum(map(QuerySet.count, alike))
    monkeypatch.setattr(nearest_tags, "MAX_TAGS", count - excess)
    builds = ask(client, machines=machines, builds=2).json()["builds"]
    assert sum(build["uncompared"] for build in builds) == max(excess, 0)


def test_tags_that_no_verdict_was_found_for_are_not_compared(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "MAX_VERDICTS", 0)
    (build,) = ask(client, machines=["acme/old", "acme/new"]).json()["builds"]
    assert build["nearest"] == []
    assert build["uncompared"] >= len(["acme/old", "acme/box", "acme/level"])


@pytest.mark.parametrize("compiler", ["clang", "iree", "tvm"])
def test_a_compiler_is_given_what_it_takes(client: Client, compiler: str) -> None:
    machines = ["acme/old", "acme/odd"]
    (build,) = ask(client, machines=machines, compiler=compiler).json()["builds"]
    assert objection_of(compiler)(build["target"]) == ""


@pytest.mark.parametrize(
    ("machines", "compiler", "reason"),
    [
        (["acme/a100"], "clang", "clang cannot be told a build for acme/a100: "),
        (["acme/dsp", "acme/dsp"], "iree", "iree cannot be told a build for acme/dsp, acme/dsp: "),
    ],
)
def test_a_compiler_that_cannot_be_told_a_build_is_refused(
    client: Client, machines: list[str], compiler: str, reason: str
) -> None:
    response = ask(client, machines=machines, compiler=compiler)
    (error,) = problem(response, "REQUEST_INVALID")["errors"]
    assert error["pointer"] == "/compiler"
    assert error["message"].startswith(reason)


def test_more_builds_lose_less(client: Client) -> None:
    machines = ["acme/old", "acme/new", "acme/wide"]
    losses = [ask(client, machines=machines, builds=count).json()["loss"] for count in (1, 2, 3)]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] == 0


def test_machines_of_two_systems_take_two_builds(client: Client) -> None:
    (error,) = problem(ask(client, machines=["acme/old", "acme/arm"]), "REQUEST_INVALID")["errors"]
    assert (error["pointer"], error["expected"]) == ("/builds", "at least 2")
    assert len(ask(client, machines=["acme/old", "acme/arm"], builds=2).json()["builds"]) == 2


def test_a_machine_that_is_named_twice_counts_twice(client: Client) -> None:
    once = ask(client, machines=["acme/old", "acme/new"]).json()
    twice = ask(client, machines=["acme/old", "acme/new", "acme/new"]).json()
    assert twice["loss"] == 2 * once["loss"]


@pytest.mark.parametrize(
    ("body", "code", "pointers"),
    [
        ({}, "REQUEST_INVALID", ["/machines"]),
        ({"machines": []}, "REQUEST_INVALID", ["/machines"]),
        ({"machines": "acme/old"}, "REQUEST_INVALID", ["/machines"]),
        ({"machines": ["acme/old", "x"]}, "REFERENCE_INVALID", ["/machines/1"]),
        ({"machines": ["x"], "builds": 9}, "REQUEST_INVALID", ["/machines/0", "/builds"]),
        ({"machines": ["acme/old", "x", "y"]}, "REQUEST_INVALID", ["/machines/1", "/machines/2"]),
        ({"machines": ["acme/old"], "builds": 9}, "REQUEST_INVALID", ["/builds"]),
        ({"machines": ["acme/old"], "compiler": "gcc"}, "REQUEST_INVALID", ["/compiler"]),
        ({"machines": ["acme/old"], "builds": 0}, "REQUEST_INVALID", ["/builds"]),
        ({"machines": ["acme/old", "acme/patch"]}, "REQUEST_INVALID", ["/machines/1"]),
        ({"machines": ["acme/old"] * (MAX_MACHINES + 1)}, "TOO_LARGE", ["/machines"]),
    ],
)
def test_bad_fleets_are_refused(
    client: Client, body: dict[str, Any], code: str, pointers: list[str]
) -> None:
    errors = problem(ask(client, **body), code)["errors"]
    assert [error["pointer"] for error in errors] == pointers


def test_unknown_machines_are_refused(client: Client) -> None:
    problem(ask(client, machines=["acme/old", "acme/nothing"]), "TAG_UNKNOWN")


def test_each_unknown_machine_is_named(client: Client) -> None:
    machines = ["acme/old", "acme/nothing", "acme/old@9", "acme/new", "acme/nothing"]
    data = problem(ask(client, machines=machines), "TAG_UNKNOWN")
    errors = [(error["pointer"], error["code"], error["found"]) for error in data["errors"]]
    assert errors == [
        ("/machines/1", "TAG_UNKNOWN", "acme/nothing"),
        ("/machines/2", "VERSION_UNKNOWN", "acme/old@9"),
        ("/machines/4", "TAG_UNKNOWN", "acme/nothing"),
    ]


def test_machines_that_were_withdrawn_are_said(client: Client, alice: User) -> None:
    assert ask(client, machines=["acme/old", "acme/new"]).json()["warnings"] == []
    yank("acme/wide@1.0.0")
    deprecation.deprecate(TagName.parse("acme/level"), reason="old", actor=Actor.operator(alice))
    machines = ["acme/old", "acme/wide@1.0.0", "acme/level", "acme/wide@1.0.0"]
    data = ask(client, machines=machines).json()
    assert data["builds"][0]["machines"] == [
        *("acme/old@1.0.0", "acme/wide@1.0.0", "acme/level@1.0.0", "acme/wide@1.0.0")
    ]
    warnings = [(warning["reference"], warning["code"]) for warning in data["warnings"]]
    assert warnings == [("acme/wide@1.0.0", "YANKED"), ("acme/level@1.0.0", "DEPRECATED")]
    problem(ask(client, machines=["acme/old", "acme/wide"]), "VERSION_UNKNOWN")


@pytest.mark.parametrize("count", [1, 300])
def test_a_fleet_takes_five_queries(client: Client, count: int) -> None:
    ask(client, machines=["acme/old"])  # which reads the targets of all tags
    with CaptureQueriesContext(connection) as queries:
        ask(client, machines=["acme/old", *["acme/new"] * count], compiler="clang")
    assert len(queries) <= 5
