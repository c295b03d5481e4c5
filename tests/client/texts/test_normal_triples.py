"""Texts state triples as LLVM normalizes them; earlier texts do not, and still count."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tests.client.texts.subjects import honest
from ttag.errors import Tampered
from ttag.texts import proven
from ttag.texts.triples import is_same_triple
from ttag_rules.grammars import TABLES
from ttag_rules.triple_names import ENVIRONMENTS, SYSTEMS, VENDORS
from ttag_rules.triple_normalization import normalize

PI: dict[str, Any] = {
    "kind": "llvm",
    "mtriple": "armv7l-linux-gnueabihf",
    "mcpu": "cortex-a53",
    "num-cores": 4,
}
EDGE: dict[str, Any] = {"kind": "cuda", "arch": "sm_87", "host": PI}
FORMS = ["tvm", "tvm-string", "config", "iree"]
FLOAT_ABIS = {
    "tvm": ('"mfloat-abi":"hard",', '"mfloat-abi":"soft",'),
    "config": ('"mfloat-abi":"hard",', '"mfloat-abi":"soft",'),
    "tvm-string": ("-mfloat-abi=hard ", "-mfloat-abi=soft "),
    "iree": (
        "--iree-llvmcpu-target-float-abi=hard\n",
        "--iree-llvmcpu-target-float-abi=soft\n",
    ),
}

architectures = st.sampled_from(sorted(TABLES["clang"]["architectures"]))
vendors = st.sampled_from(["", "-", "-unknown", *(f"-{name}" for name in sorted(VENDORS))])
systems = st.sampled_from(["", *(f"-{name}" for name in SYSTEMS)])
environments = st.sampled_from(["", *(f"-{name}" for name in (*ENVIRONMENTS, "gnueabihf"))])
triples = st.builds("{}{}{}{}".format, architectures, vendors, systems, environments)


def earlier(form: str, text: str) -> str:
    """Return a text as the registry wrote it before."""
    return text.replace(FLOAT_ABIS[form][0], "").replace("armv7l-unknown-linux", "armv7l-linux")


@pytest.mark.parametrize("body", [PI, EDGE], ids=["leaf", "host"])
@pytest.mark.parametrize("form", FORMS)
def test_text_with_a_normal_triple_and_that_of_an_earlier_release_count(
    form: str, body: dict[str, Any]
) -> None:
    text = honest(body, form)
    old = replace(text.export, text=earlier(form, text.export.text))
    assert old.text != text.export.text
    for export in (text.export, old):
        assert proven(export, text.resolution, source="The lock").text == export.text


@pytest.mark.parametrize("body", [PI, EDGE], ids=["leaf", "host"])
@pytest.mark.parametrize("form", FORMS)
def test_text_with_the_other_float_abi_is_refused(form: str, body: dict[str, Any]) -> None:
    text = honest(body, form)
    hostile = replace(text.export, text=text.export.text.replace(*FLOAT_ABIS[form]))
    assert hostile.text != text.export.text
    with pytest.raises(Tampered):
        proven(hostile, text.resolution, source="The lock")


@pytest.mark.parametrize("form", FORMS)
def test_float_abi_that_the_target_states_cannot_be_left_out(form: str) -> None:
    text = honest({**PI, "mfloat-abi": "hard"}, form)
    hostile = replace(text.export, text=text.export.text.replace(FLOAT_ABIS[form][0], ""))
    with pytest.raises(Tampered):
        proven(hostile, text.resolution, source="The lock")


@pytest.mark.parametrize(
    ("written", "accepted"), [("softfp", True), ("soft", True), ("hard", False)]
)
def test_clang_has_two_words_for_calls_without_floating_point_registers(
    written: str, accepted: bool
) -> None:
    text = honest({**PI, "mtriple": "armv7l-linux-gnueabi", "mfloat-abi": "soft"}, "clang")
    assert "-mfloat-abi=softfp" in text.export.text
    export = replace(text.export, text=text.export.text.replace("abi=softfp", f"abi={written}"))
    if written != "hard":
        assert proven(export, text.resolution, source="The lock").text == export.text
    else:
        with pytest.raises(Tampered):
            proven(export, text.resolution, source="The lock")


@given(triples)
def test_normal_form_of_any_ordinary_triple_is_the_same_triple(triple: str) -> None:
    assert is_same_triple(normalize(triple), triple)
