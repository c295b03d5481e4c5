"""Explanations: the origin of every value."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference
from registry.domain.resolution.overridden_values import OverriddenValue
from registry.services.versions import explaining, resolving, selection
from registry.services.versions.explaining import TargetLeaf
from tests.publishing import chain, publish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]


def explain(reference: Reference) -> list[TargetLeaf]:
    return explaining.explain_version(selection.select_one(reference))


def origins(text: str) -> dict[str, Any]:
    return {pointer: leaf.origin for pointer, leaf in explain(Reference.parse(text))}


def test_origin_of_own_values_is_the_version() -> None:
    publish("acme/board", {"kind": "llvm", "mcpu": "haswell"})
    assert origins("acme/board") == {
        "/kind": "acme/board@1.0.0",
        "/mcpu": "acme/board@1.0.0",
    }


def test_origins_of_inherited_and_composed_values() -> None:
    publish("acme/cpu", {"kind": "llvm", "mcpu": "haswell", "mattr": ["+avx2"]})
    publish("acme/box", {"kind": "cuda", "arch": "sm_90", "host": "acme/cpu@1"})
    publish("acme/own", {"tag": "acme/box", "host": {"mattr": {"$append": ["+fma"]}}})
    assert origins("acme/own") == {
        "/arch": "acme/box@1.0.0",
        "/host/kind": "acme/cpu@1.0.0",
        "/host/mattr": "acme/own@1.0.0",
        "/host/mcpu": "acme/cpu@1.0.0",
        "/kind": "acme/box@1.0.0",
    }


def test_mixin_is_explained_with_its_edits() -> None:
    publish("acme/more", {"mattr": {"$append": ["+avx2"], "$remove": ["+avx"]}, "model": None})
    assert origins("acme/more") == {
        "/mattr/$append": "acme/more@1.0.0",
        "/mattr/$remove": "acme/more@1.0.0",
        "/model": "acme/more@1.0.0",
    }


def test_values_are_in_natural_order() -> None:
    devices = {f"m{core}": {"kind": "c", "mcpu": f"cortex-m{core}"} for core in (10, 9)}
    publish("acme/farm", {"kind": "composite", "devices": devices})
    assert list(origins("acme/farm")) == [
        "/devices/m9/kind",
        "/devices/m9/mcpu",
        "/devices/m10/kind",
        "/devices/m10/mcpu",
        "/kind",
    ]


def test_values_are_those_of_the_target() -> None:
    reference = Reference.parse("nvidia/jetson-nano:cuda")
    values = {pointer: leaf.value for pointer, leaf in explain(reference)}
    assert (values["/host/mcpu"], values["/keys"]) == ("cortex-a57", ["cuda", "gpu"])
    assert selection.select_one(reference).exact == "nvidia/jetson-nano:cuda@1.2.0"


def test_two_queries_at_any_lineage_length() -> None:
    for text in ("arm/soc", chain(6)):
        with CaptureQueriesContext(connection) as captured:
            explain(Reference.parse(text))
        assert len(captured) == 2


@pytest.mark.parametrize("text", ["acme/nobody", "arm/soc@7"])
def test_unresolved_reference_is_rejected(text: str) -> None:
    errors = []
    for call in (explain, resolving.resolve):
        with pytest.raises(Refused) as refused:
            call(Reference.parse(text))
        errors.append((refused.value.code, refused.value.detail, refused.value.suggestions))
    assert errors[0] == errors[1]
    assert errors[0][0] in (Code.TAG_UNKNOWN, Code.VERSION_UNKNOWN)


def test_provenance_has_overridden_values_and_consumers() -> None:
    publish("acme/cpu", {"kind": "llvm", "mcpu": "haswell", "num-cores": 2})
    version = publish("acme/own", {"tag": "acme/cpu", "mcpu": "skylake", "model": "mine"})
    with CaptureQueriesContext(connection) as queries:
        provenance = explaining.target_provenance(version)
    assert len(queries) == 2
    assert provenance.overridden("/mcpu") == OverriddenValue("acme/cpu@1.0.0", "haswell")
    assert provenance.overridden("/model") is None
    assert provenance.overridden("/num-cores") is None  # inherited
    assert provenance.origins["/num-cores"] == "acme/cpu@1.0.0"
    assert provenance.target_consumers.consumers_of("/num-cores").consumers == ("tuning",)


def test_consumers_of_a_mixin_are_those_of_its_kinds() -> None:
    provenance = explaining.target_provenance(
        publish("acme/part", {"thread_warp_size": 32, "arch": "sm_80"})
    )
    assert provenance.target_consumers.consumers_of("/arch").consumers == ("codegen",)
    assert provenance.target_consumers.consumers_of("/arch").affects_tuning
