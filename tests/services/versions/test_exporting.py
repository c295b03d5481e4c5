"""Tests of exports: kinds, number of queries, and errors."""

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


def echo_subject(subject: Subject) -> Export:
    """Write the subject itself, for tests of what a format gets."""
    return Export(
        {
            "exact": subject.exact,
            "target": subject.target,
            "origins": dict(subject.origins),
            "recorded": subject.should_record,
            "cpus": "haswell" in subject.cpus["x86_64"],
        }
    )


def test_format_gets_the_target_and_the_origins_of_its_nodes() -> None:
    publish("acme/gpu", GPU)
    body = {"kind": "composite", "host": BOARD, "devices": {"left": "acme/gpu", "right": GPU}}
    publish("acme/pair", body)
    found = json.loads(
        exporting.render(answer("acme/pair"), ExportOptions(form(echo_subject))).text
    )
    assert found == {
        "exact": "acme/pair@1.0.0",
        "target": json.loads(answer("acme/pair").target),
        "origins": {"": "acme/pair@1.0.0", "/devices/left": "acme/gpu@1.0.0"},
        "recorded": False,
        "cpus": True,
        "dropped": [],
    }


def test_format_gets_the_requested_node() -> None:
    publish("acme/pair", {"kind": "composite", "host": BOARD, "devices": {"left": GPU}})
    node = answer("acme/pair", "/devices/left")
    found = json.loads(exporting.render(node, ExportOptions(form(echo_subject))).text)
    assert found["target"] == GPU | {"host": BOARD}
    assert found["origins"] == {"": "acme/pair@1.0.0#/devices/left"}


def test_format_gets_the_kinds_that_the_version_was_checked_against(alice: User) -> None:
    """A revised default does not change what the tuning keys digest."""
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
def test_every_format_has_name_summary_and_media_type(name: str) -> None:
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
def test_mixin_is_refused_by_formats_of_targets(name: str) -> None:
    refused = refusal(
        lambda: exporting.render(answer("micro/aot"), ExportOptions(EXPORT_FORMATS[name]))
    )
    assert refused.code == Code.NOT_A_TARGET
    assert "json and target" in refused.detail


def test_a_whole_target_inside_a_mixin_is_written() -> None:
    publish("acme/hosted", {"host": {"kind": "llvm", "mcpu": "haswell"}})
    found = json.loads(
        exporting.render(answer("acme/hosted", "/host"), ExportOptions(form(echo_subject))).text
    )
    assert found["target"]["mcpu"] == "haswell"


def lossy(subject: Subject) -> Export:
    return Export("x", (Loss("/mcpu", "no word for it"), Loss("/num-cores", "no number")))


def test_rendering_lists_dropped_values() -> None:
    publish("acme/board", BOARD)
    found = exporting.render(answer("acme/board"), ExportOptions(form(lossy)))
    assert found == Rendering("x", lossy(None).dropped)  # type: ignore[arg-type]


def test_strict_export_refuses_dropped_values() -> None:
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
def test_format_without_records_refuses_them(name: str) -> None:
    refused = refusal(lambda: ExportOptions(EXPORT_FORMATS[name], should_record=True))
    assert refused.code == Code.FORMAT_UNFIT
    assert "tvm" in refused.detail


def test_renderings_of_many_include_errors() -> None:
    gone = Refused(Code.TAG_UNKNOWN, "no such tag")
    answers: list[Any] = [answer("aws/c4.4xlarge"), gone, answer("micro/aot")]
    found = exporting.render_all(answers, ExportOptions(form(echo_subject)))
    assert isinstance(found[0], Rendering)
    assert found[1] is gone
    assert isinstance(found[2], Refused)
    assert found[2].code == Code.NOT_A_TARGET


def test_renderings_that_are_too_large_together_are_refused(
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


def test_all_formats_of_one_reference_take_one_query() -> None:
    resolved = answer("nvidia/jetson-nano:cuda")
    exporting.render_each(resolved, EXPORT_FORMATS.values())  # loads what a process loads once
    with CaptureQueriesContext(connection) as queries:
        found = exporting.render_each(resolved, EXPORT_FORMATS.values())
    assert len(queries) == 1
    assert found.keys() == EXPORT_FORMATS.keys()
    assert isinstance(found["tvm"], Rendering)
    assert isinstance(found["iree"], Refused)
    assert found["clang"] == exporting.render(resolved, ExportOptions(EXPORT_FORMATS["clang"]))
