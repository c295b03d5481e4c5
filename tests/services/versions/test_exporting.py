"""Handing out targets in formats: with which kinds, in how many queries, and what is refused."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.document import canonical, digest
from registry.domain.errors import Code, Refused
from registry.domain.exporting import Export, Format, Loss, Subject
from registry.domain.reference import Reference
from registry.models import User
from registry.services.core import shipped_facts
from registry.services.core.permissions import Actor
from registry.services.kinds import kinds
from registry.services.versions import exporting, resolving
from registry.services.versions.exporting import (
    EXPORT_FORMATS,
    ExportFormat,
    ExportOptions,
    Rendering,
)
from registry.services.versions.resolving import ResolvedReference
from tests.publishing import publish
from tests.services.kinds.schemas import with_option

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BOARD = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}
GPU = {"kind": "cuda", "arch": "sm_80"}


def answer(reference: str, node: str = "") -> ResolvedReference:
    found = resolving.resolve(Reference.parse(reference))
    return resolving.select_node(found, node) if node else found


def form(write: Callable[[Subject], Export]) -> ExportFormat:
    written = Format("probe", "text/plain", "A format of the test's own.", write)
    return ExportFormat("probe", "text/plain", "", written=written)


def refusal(action: Callable[[], object]) -> Refused:
    with pytest.raises(Refused) as refused:
        action()
    return refused.value


def told(subject: Subject) -> Export:
    """A format that tells what it was given."""
    return Export(
        {
            "exact": subject.exact,
            "target": subject.target,
            "origins": dict(subject.origins),
            "recorded": subject.is_recorded,
            "cpus": "haswell" in subject.cpus["x86_64"],
        }
    )


def test_a_format_is_given_the_target_and_where_its_nodes_come_from() -> None:
    publish("acme/gpu", GPU)
    body = {"kind": "composite", "host": BOARD, "devices": {"left": "acme/gpu", "right": GPU}}
    publish("acme/pair", body)
    found = json.loads(exporting.render(answer("acme/pair"), ExportOptions(form(told))).text)
    assert found == {
        "exact": "acme/pair@1.0.0",
        "target": json.loads(answer("acme/pair").target),
        "origins": {"": "acme/pair@1.0.0", "/devices/left": "acme/gpu@1.0.0"},
        "recorded": False,
        "cpus": True,
        "dropped": [],
    }


def test_a_format_of_a_node_is_given_the_node() -> None:
    publish("acme/pair", {"kind": "composite", "host": BOARD, "devices": {"left": GPU}})
    node = answer("acme/pair", "/devices/left")
    found = json.loads(exporting.render(node, ExportOptions(form(told))).text)
    assert found["target"] == GPU | {"host": BOARD}
    assert found["origins"] == {"": "acme/pair@1.0.0#/devices/left"}


def test_the_kinds_are_those_that_the_version_was_checked_against(alice: User) -> None:
    """What the keys digest does not move with a default that is revised."""
    publish("acme/gpu", GPU)
    schema = with_option(shipped_facts.kinds()["cuda"], "thread_warp_size", default=16)
    kinds.revise_kind("cuda", schema, actor=Actor.operator(alice))
    found = json.loads(
        exporting.render(answer("acme/gpu"), ExportOptions(EXPORT_FORMATS["tuning"])).text
    )
    assert found["tuning"][""]["thread_warp_size"] == 32
    stored = json.loads(answer("acme/gpu").tuning_keys)
    assert found["tuning_keys"] == stored
    assert digest(canonical(found["tuning"][""])) == stored[""].replace("tk1", "sha256")


@pytest.mark.parametrize("name", EXPORT_FORMATS)
def test_every_format_says_what_it_is(name: str) -> None:
    assert EXPORT_FORMATS[name].name == name
    assert EXPORT_FORMATS[name].summary.endswith(".")
    assert EXPORT_FORMATS[name].media_type not in {
        f.media_type for f in EXPORT_FORMATS.values() if f.name != name
    }


@pytest.mark.parametrize("name", EXPORT_FORMATS)
def test_rendering_takes_one_query_for_any_number_of_answers_or_none(name: str) -> None:
    options = ExportOptions(EXPORT_FORMATS[name])
    answers = [answer(text) for text in ("aws/c4.4xlarge", "arm/soc:aot", "nvidia/jetson-nano")]
    exporting.render_all(answers, options)  # schemas are loaded once a process
    for some in (answers[:1], answers):
        with CaptureQueriesContext(connection) as captured:
            exporting.render_all(some, options)
        assert len(captured) == (1 if options.form.written else 0)


@pytest.mark.parametrize("name", sorted(EXPORT_FORMATS.keys() - {"json", "target"}))
def test_a_mixin_is_refused_by_what_needs_a_whole_target(name: str) -> None:
    refused = refusal(
        lambda: exporting.render(answer("micro/aot"), ExportOptions(EXPORT_FORMATS[name]))
    )
    assert refused.code == Code.NOT_A_TARGET
    assert "json and target" in refused.detail


def test_a_whole_target_inside_a_mixin_is_written() -> None:
    publish("acme/hosted", {"host": {"kind": "llvm", "mcpu": "haswell"}})
    found = json.loads(
        exporting.render(answer("acme/hosted", "/host"), ExportOptions(form(told))).text
    )
    assert found["target"]["mcpu"] == "haswell"


def lossy(subject: Subject) -> Export:
    return Export("x", (Loss("/mcpu", "no word for it"), Loss("/num-cores", "no number")))


def test_what_is_dropped_comes_with_the_text() -> None:
    publish("acme/board", BOARD)
    found = exporting.render(answer("acme/board"), ExportOptions(form(lossy)))
    assert found == Rendering("x", lossy(None).dropped)  # type: ignore[arg-type]


def test_strictly_nothing_may_be_dropped() -> None:
    publish("acme/board", BOARD)
    options = ExportOptions(form(lossy), is_strict=True)
    refused = refusal(lambda: exporting.render(answer("acme/board"), options))
    assert refused.code == Code.FORMAT_LOSSY
    assert [(fault.pointer, fault.message) for fault in refused.faults] == [
        ("/mcpu", "no word for it"),
        ("/num-cores", "no number"),
    ]
    assert "probe would lose /mcpu and 1 more: no word for it" in refused.detail
    whole = form(lambda _: Export("x"))
    assert exporting.render(answer("acme/board"), ExportOptions(whole, is_strict=True)).text == "x"


@pytest.mark.parametrize(
    "name", [name for name, each in EXPORT_FORMATS.items() if not each.can_record]
)
def test_what_has_no_place_for_references_cannot_record_them(name: str) -> None:
    refused = refusal(lambda: ExportOptions(EXPORT_FORMATS[name], is_recorded=True))
    assert refused.code == Code.FORMAT_UNFIT
    assert "tvm" in refused.detail


def test_of_many_each_is_written_or_says_why_not() -> None:
    gone = Refused(Code.TAG_UNKNOWN, "no such tag")
    answers: list[Any] = [answer("aws/c4.4xlarge"), gone, answer("micro/aot")]
    found = exporting.render_all(answers, ExportOptions(form(told)))
    assert isinstance(found[0], Rendering)
    assert found[1] is gone
    assert isinstance(found[2], Refused)
    assert found[2].code == Code.NOT_A_TARGET


def test_many_are_refused_as_soon_as_they_are_too_large_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written: list[str] = []

    def long(subject: Subject) -> Export:
        written.append(subject.exact)
        return Export("x" * 600)

    monkeypatch.setattr(resolving, "MAX_RESPONSE_SIZE", 1000)
    answers = [answer("aws/c4.4xlarge"), answer("arm/soc"), answer("arm/soc:aot")]
    refused = refusal(lambda: exporting.render_all(answers, ExportOptions(form(long))))
    assert refused.code == Code.TOO_LARGE
    assert len(written) == 2


def test_one_answer_is_written_in_each_format_or_says_why_not_with_one_query() -> None:
    resolved = answer("nvidia/jetson-nano:cuda")
    exporting.render_each(resolved, EXPORT_FORMATS.values())  # loads what a process loads once
    with CaptureQueriesContext(connection) as queries:
        found = exporting.render_each(resolved, EXPORT_FORMATS.values())
    assert len(queries) == 1
    assert found.keys() == EXPORT_FORMATS.keys()
    assert isinstance(found["tvm"], Rendering)
    assert isinstance(found["iree"], Refused)
    assert found["clang"] == exporting.render(resolved, ExportOptions(EXPORT_FORMATS["clang"]))
