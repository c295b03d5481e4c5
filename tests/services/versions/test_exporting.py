"""Exports: kinds, number of queries, and errors."""

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


def resolve(reference: str, node: str = "") -> ResolvedReference:
    resolved = resolving.resolve(Reference.parse(reference))
    return resolving.select_node(resolved, node) if node else resolved


def probe_format(write: Callable[[Subject], Export]) -> ExportFormat:
    written = Format("probe", "text/plain", "A test format.", write)
    return ExportFormat("probe", "text/plain", "", written=written)


def refusal(action: Callable[[], object]) -> Refused:
    with pytest.raises(Refused) as refused:
        action()
    return refused.value


def echo_subject(subject: Subject) -> Export:
    """Export the subject itself."""
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
    document = json.loads(
        exporting.render(resolve("acme/pair"), ExportOptions(probe_format(echo_subject))).text
    )
    assert document == {
        "exact": "acme/pair@1.0.0",
        "target": json.loads(resolve("acme/pair").target),
        "origins": {"": "acme/pair@1.0.0", "/devices/left": "acme/gpu@1.0.0"},
        "recorded": False,
        "cpus": True,
        "dropped": [],
    }


def test_format_gets_the_requested_node() -> None:
    publish("acme/pair", {"kind": "composite", "host": BOARD, "devices": {"left": GPU}})
    node = resolve("acme/pair", "/devices/left")
    document = json.loads(exporting.render(node, ExportOptions(probe_format(echo_subject))).text)
    assert document["target"] == GPU | {"host": BOARD}
    assert document["origins"] == {"": "acme/pair@1.0.0#/devices/left"}


def test_format_gets_the_kinds_that_the_version_was_checked_against(alice: User) -> None:
    """A revised default does not change the digested values."""
    publish("acme/gpu", GPU)
    schema = with_option(shipped_facts.kinds()["cuda"], "thread_warp_size", default=16)
    kinds.revise_kind("cuda", schema, actor=Actor.operator(alice))
    document = json.loads(
        exporting.render(resolve("acme/gpu"), ExportOptions(EXPORT_FORMATS["tuning"])).text
    )
    assert document["tuning"][""]["thread_warp_size"] == 32
    stored = json.loads(resolve("acme/gpu").tuning_keys)
    assert document["tuning_keys"] == stored
    assert digest(canonical(document["tuning"][""])) == stored[""].replace("tk1", "sha256")


@pytest.mark.parametrize("name", EXPORT_FORMATS)
def test_every_format_has_name_summary_and_media_type(name: str) -> None:
    assert EXPORT_FORMATS[name].name == name
    assert EXPORT_FORMATS[name].summary.endswith(".")
    assert EXPORT_FORMATS[name].media_type not in {
        f.media_type for f in EXPORT_FORMATS.values() if f.name != name
    }


@pytest.mark.parametrize("name", EXPORT_FORMATS)
def test_rendering_any_number_of_references_takes_at_most_one_query(name: str) -> None:
    options = ExportOptions(EXPORT_FORMATS[name])
    references = [resolve(text) for text in ("aws/c4.4xlarge", "arm/soc:aot", "nvidia/jetson-nano")]
    exporting.render_all(references, options)  # loads the schemas
    for resolved in (references[:1], references):
        with CaptureQueriesContext(connection) as captured:
            exporting.render_all(resolved, options)
        assert len(captured) == (1 if options.form.written else 0)


@pytest.mark.parametrize("name", sorted(EXPORT_FORMATS.keys() - {"json", "target"}))
def test_mixin_is_rejected_by_formats_of_targets(name: str) -> None:
    refused = refusal(
        lambda: exporting.render(resolve("micro/aot"), ExportOptions(EXPORT_FORMATS[name]))
    )
    assert refused.code == Code.NOT_A_TARGET
    assert "json and target" in refused.detail


def test_target_inside_a_mixin_is_exported() -> None:
    publish("acme/hosted", {"host": {"kind": "llvm", "mcpu": "haswell"}})
    document = json.loads(
        exporting.render(
            resolve("acme/hosted", "/host"), ExportOptions(probe_format(echo_subject))
        ).text
    )
    assert document["target"]["mcpu"] == "haswell"


def lossy(subject: Subject) -> Export:
    return Export("x", (Loss("/mcpu", "no word for it"), Loss("/num-cores", "no number")))


def test_rendering_lists_dropped_values() -> None:
    publish("acme/board", BOARD)
    rendering = exporting.render(resolve("acme/board"), ExportOptions(probe_format(lossy)))
    assert rendering == Rendering("x", lossy(None).dropped)  # type: ignore[arg-type]


def test_strict_export_rejects_dropped_values() -> None:
    publish("acme/board", BOARD)
    options = ExportOptions(probe_format(lossy), is_strict=True)
    refused = refusal(lambda: exporting.render(resolve("acme/board"), options))
    assert refused.code == Code.FORMAT_LOSSY
    assert [(fault.pointer, fault.message) for fault in refused.faults] == [
        ("/mcpu", "no word for it"),
        ("/num-cores", "no number"),
    ]
    assert "probe would drop /mcpu and 1 more: no word for it" in refused.detail
    lossless = ExportOptions(probe_format(lambda _: Export("x")), is_strict=True)
    assert exporting.render(resolve("acme/board"), lossless).text == "x"


@pytest.mark.parametrize(
    "name", [name for name, export in EXPORT_FORMATS.items() if not export.can_record]
)
def test_format_that_cannot_record_rejects_it(name: str) -> None:
    refused = refusal(lambda: ExportOptions(EXPORT_FORMATS[name], should_record=True))
    assert refused.code == Code.FORMAT_UNFIT
    assert "tvm" in refused.detail


def test_errors_are_returned_among_renderings() -> None:
    error = Refused(Code.TAG_UNKNOWN, "no such tag")
    inputs: list[Any] = [resolve("aws/c4.4xlarge"), error, resolve("micro/aot")]
    renderings = exporting.render_all(inputs, ExportOptions(probe_format(echo_subject)))
    assert isinstance(renderings[0], Rendering)
    assert renderings[1] is error
    assert isinstance(renderings[2], Refused)
    assert renderings[2].code == Code.NOT_A_TARGET


def test_total_size_of_renderings_is_limited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    exported: list[str] = []

    def export_600_bytes(subject: Subject) -> Export:
        exported.append(subject.exact)
        return Export("x" * 600)

    monkeypatch.setattr(resolving, "MAX_RESPONSE_SIZE", 1000)
    references = [resolve("aws/c4.4xlarge"), resolve("arm/soc"), resolve("arm/soc:aot")]
    options = ExportOptions(probe_format(export_600_bytes))
    refused = refusal(lambda: exporting.render_all(references, options))
    assert refused.code == Code.TOO_LARGE
    assert len(exported) == 2


def test_all_formats_of_one_reference_take_one_query() -> None:
    resolved = resolve("nvidia/jetson-nano:cuda")
    exporting.render_each(resolved, EXPORT_FORMATS.values())  # loads the schemas
    with CaptureQueriesContext(connection) as queries:
        renderings = exporting.render_each(resolved, EXPORT_FORMATS.values())
    assert len(queries) == 1
    assert renderings.keys() == EXPORT_FORMATS.keys()
    assert isinstance(renderings["tvm"], Rendering)
    assert isinstance(renderings["iree"], Refused)
    assert renderings["clang"] == exporting.render(resolved, ExportOptions(EXPORT_FORMATS["clang"]))
