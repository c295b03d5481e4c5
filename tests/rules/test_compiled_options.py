"""Triples and float ABIs as compilers read them; tests/tvm/test_agreement.py looks at objects."""

from typing import Any

import pytest
from hypothesis import given

from registry.domain.exporting import Subject
from registry.domain.formats import FORMATS
from registry.domain.keys.tuning import tuning_keys
from tests.domain.builders import KINDS
from tests.domain.formats.subjects import subject
from tests.rules.test_triple_normalization import triples
from ttag_rules.compiled_options import compiled_options

HARD, SOFT = {"mfloat-abi": "hard"}, {"mfloat-abi": "soft"}


@pytest.mark.parametrize(
    ("triple", "normal", "implied"),
    [
        ("armv7l-linux-gnueabihf", "armv7l-unknown-linux-gnueabihf", HARD),
        ("armv7-unknown-linux-gnueabihft64", "armv7-unknown-linux-gnueabihft64", HARD),
        ("armv7-alpine-linux-musleabihf", "armv7-alpine-linux-musleabihf", HARD),
        ("thumbv7em-none-eabihf", "thumbv7em-unknown-none-eabihf", HARD),
        ("armebv7-linux-gnueabihf", "armebv7-unknown-linux-gnueabihf", HARD),
        ("armv7-suse-linux-gnueabi", "armv7-suse-linux-gnueabihf", HARD),
        ("armv7l-linux-gnueabi", "armv7l-unknown-linux-gnueabi", SOFT),
        ("armv7a-linux-eabi", "armv7a-unknown-linux-eabi", SOFT),
        ("armv7-linux-androideabi21", "armv7-unknown-linux-android21", SOFT),
        ("armv7", "armv7", SOFT),
        ("thumbv7-pc-windows-msvc", "thumbv7-pc-windows-msvc", HARD),
        ("armv7-apple-ios", "armv7-apple-ios", {}),
        ("armv7k-apple-watchos", "armv7k-apple-watchos", {}),
        ("aarch64-linux-gnueabihf", "aarch64-unknown-linux-gnueabihf", {}),
        ("x86_64-win32", "x86_64-unknown-windows-msvc", {}),
        ("default", "default", {}),
        ("", "", {}),
    ],
)
def test_triple_is_normal_and_its_float_abi_stated(
    triple: str, normal: str, implied: dict[str, Any]
) -> None:
    assert compiled_options({"mtriple": triple, "mcpu": "x"}) == {
        "mtriple": normal,
        "mcpu": "x",
        **implied,
    }


def test_stated_float_abi_stays() -> None:
    stated = {"mtriple": "armv7l-linux-gnueabihf", "mfloat-abi": "soft"}
    assert compiled_options(stated)["mfloat-abi"] == "soft"


def test_options_without_a_triple_are_unchanged() -> None:
    assert compiled_options({"kind": "c", "mcpu": "cortex-m7"}) == {
        "kind": "c",
        "mcpu": "cortex-m7",
    }


@given(triples)
def test_compiled_options_are_those_of_themselves(triple: str) -> None:
    once = compiled_options({"mtriple": triple})
    assert compiled_options(once) == once


RASPBERRY: dict[str, Any] = {
    "kind": "llvm",
    "mtriple": "armv7l-linux-gnueabihf",
    "mcpu": "cortex-a53",
}


def written(form: str, of: Subject) -> str:
    return FORMATS[form].write(of).text


@pytest.mark.parametrize("form", ["tvm", "tvm-string", "config", "iree"])
def test_formats_for_compilers_that_do_not_normalize_state_it(form: str) -> None:
    text = written(form, subject(RASPBERRY))
    assert "armv7l-unknown-linux-gnueabihf" in text
    assert "hard" in text
    assert "armv7l-linux-gnueabihf" not in text


@pytest.mark.parametrize("form", ["tvm", "tvm-string", "config", "iree"])
def test_formats_state_no_float_abi_that_nothing_implies(form: str) -> None:
    for triple in ("aarch64-linux-gnu", "armv7-apple-ios", "x86_64-win32"):
        body = {"kind": "llvm", "mtriple": triple}
        assert "float-abi" not in written(form, subject(body))


@pytest.mark.parametrize("form", ["tvm", "tvm-string", "config", "iree"])
def test_hosts_are_written_alike(form: str) -> None:
    text = written(form, subject({"kind": "cuda", "arch": "sm_87", "host": RASPBERRY}))
    assert "armv7l-unknown-linux-gnueabihf" in text
    assert "hard" in text


def test_target_and_keys_keep_the_stated_text() -> None:
    target = subject(RASPBERRY).target
    assert target["mtriple"] == "armv7l-linux-gnueabihf"
    assert "mfloat-abi" not in target
    normal = {**RASPBERRY, "mtriple": "armv7l-unknown-linux-gnueabihf"}
    assert tuning_keys(target, KINDS) == tuning_keys(subject(normal).target, KINDS)
