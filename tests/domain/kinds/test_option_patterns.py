# ruff: noqa: E501 - tables read best in rows
"""The patterns of strings, against names that compilers use and text that harms a build."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given, strategies as st

from registry.domain.kinds.option_patterns import PATTERNS, chosen_pattern
from registry.services.core import shipped_facts
from registry.services.core.catalogue_files import read_json
from registry.services.core.shipped_facts import CATALOGUE
from ttag_rules.option_patterns import MAX_LENGTH, TABLE

TRIPLES = [
    *("x86_64-unknown-linux-gnu", "thumbv7em-none-eabihf", "nvptx64-nvidia-cuda", "hexagon"),
    *("amdgcn-amd-amdhsa-hcc", "riscv64-unknown-none-elf", "arm64-apple-macos14.0", "default"),
    *("aarch64--linux-gnu", "amdgcn--", "wasm32-unknown-unknown", "s390x-ibm-linux-gnu"),
    *("armv7-alpine-linux-musleabihf", "i386-pc-windows-msvc19.33.0", "x86_64-a-b-c-elf"),
]
NOT_TRIPLES = [
    *("x86_64-a/evil-linux-gnu", "../x86_64", "x86_64-..-linux", "x86_64..cfg", "/etc/x"),
    *("-linux-gnu", "--config=x", "a-b-c-d-e-f", "", " ", "x86_64-linux-gnu ", "x86_64-linux\n"),
    *("x86_64=y", "x86_64:y", "x86_64,y", "@x86_64", "x86_64-@x", "a\\b", "~", "$x", "\0"),
    *("\uff5886_64", "x86_64-\u0661", "x" * (MAX_LENGTH + 1), ".x86_64", "x86_64."),
]
NAMES = [
    *("cortex-m0plus", "skylake-avx512", "hexagonv68", "generic-rv64", "sm_90a", "gfx1030"),
    *("gfx90a:sramecc+:xnack-", "gfx90a:xnack+", "gfx942:sramecc-", "lp64d", "ilp32", "o32"),
    *("arrowlake_s", "athlon-4", "x86-64-v3", "native", "68000", "v8.4a", "g++x", "apple-latest"),
]
NOT_NAMES = [
    *(
        "a/b",
        "../b",
        "a:b",
        "a=b",
        "a@b",
        "a,b",
        "-a",
        "--a",
        "+a",
        "",
        " ",
        "a b",
        "a\n",
        "..",
        "a..",
    ),
    *("gfx90a:", "gfx90a:sramecc", "gfx90a:other+", "gfx90a:xnack+:xnack+:xnack+", "cpu:xnack+"),
    *("hexagonv68/../../x", "hexagon..", "a\\b", "\u212aelvin", "\xe9", "x" * (MAX_LENGTH + 1)),
]
FEATURES = [
    "+neon",
    "-sve",
    "+hvx-length128b",
    "+3dnow",
    "-64bit",
    "+v8.1a",
    "+experimental-zvbc32e",
]
NOT_FEATURES = ["neon", "", "+", "++a", "--a", "+-a", "+.a", "+a..b", "+a/b", "+a:b", "+a=b", "+a,+b", "+a@", "+a b"]  # fmt: skip
WORDS = ["cudnn", "cmsis-nn", "ethos-u", "arm_cpu", "intel_graphics", "c++", "tensorrt8.6", "_x"]
NOT_WORDS = ["a/b", "../a", "-a", "a=b", "a:b", "a,b", "a@b", "@a", "", "a..b", "a ", "a;b", "$(a)", "gfx90a:xnack+"]  # fmt: skip
PRODUCTS = [
    "Intel(R) Core(TM) i7-8700 CPU @ 3.20GHz",
    "AMD Radeon RX 6800 (RADV NAVI21)",
    "Acme Inc.",
]
NOT_PRODUCTS = ["@a", "a..b", "../a", "a;b", "a'b", 'a"b', "a\\b", "$a", "a\n", ""]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(("triple", text) for text in TRIPLES),
        *(("name", text) for text in NAMES),
        *(("feature", text) for text in FEATURES),
        *(("word", text) for text in WORDS),
        *(("product", text) for text in PRODUCTS),
    ],
)
def test_text_that_compilers_use_is_accepted(name: str, text: str) -> None:
    assert PATTERNS[name].fault(text, "/x") is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(("triple", text) for text in NOT_TRIPLES),
        *(("name", text) for text in NOT_NAMES),
        *(("feature", text) for text in NOT_FEATURES),
        *(("word", text) for text in NOT_WORDS),
        *(("product", text) for text in NOT_PRODUCTS),
    ],
)
def test_other_text_is_rejected_with_what_is_expected(name: str, text: str) -> None:
    fault = PATTERNS[name].fault(text, "/x")
    assert fault is not None
    assert (fault.pointer, fault.code) == ("/x", "VALUE_PATTERN")
    assert fault.expected == PATTERNS[name].expected
    assert fault.message


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


def test_every_processor_of_llvm_is_a_name() -> None:
    processors = set(_texts(read_json(CATALOGUE / "llvm_cpus.json")["cpus"]))
    assert len(processors) > 500
    assert not [text for text in processors if PATTERNS["name"].fault(text, "")]


def test_every_feature_of_llvm_is_a_feature_but_those_that_print() -> None:
    names = set().union(*shipped_facts.lint_facts().features.values())
    assert len(names) > 1500
    assert not [
        name for name in names for sign in "+-" if PATTERNS["feature"].fault(sign + name, "")
    ]


@pytest.mark.parametrize(
    ("name", "text"), [("name", "help"), ("feature", "+help"), ("feature", "+cpuhelp")]
)
def test_names_with_which_llvm_prints_are_unsafe(name: str, text: str) -> None:
    fault = PATTERNS[name].fault(text, "/x")
    assert fault is not None
    assert fault.code == "OPTION_UNSAFE"
    assert "prints" in fault.message


ANYTHING = st.text(st.characters(codec="utf-8"), max_size=12)


@given(st.sampled_from(sorted(set(PATTERNS) - {"product"})), ANYTHING)
def test_no_accepted_text_can_be_a_path_an_option_or_two_arguments(name: str, text: str) -> None:
    if not PATTERNS[name].matches(text):
        return
    assert not set(text) & set("/\\=@,;'\"`$~*?#%&|<>(){}[]! \t\r\n\0")
    assert ".." not in text
    assert text.isascii()
    assert text.startswith(("+", "-")) == (name == "feature")
    assert ":" not in text or text.startswith("gfx")


@given(st.sampled_from(sorted(PATTERNS)), st.from_regex(r"[A-Za-z0-9_.+-]{0,40}", fullmatch=True))
def test_patterns_take_no_time_on_long_text(name: str, text: str) -> None:
    assert PATTERNS[name].matches(text + "\n") is False


@pytest.mark.parametrize(
    "pattern", [described["pattern"] for described in TABLE["patterns"].values()]
)
def test_patterns_use_only_what_all_engines_share(pattern: str) -> None:
    assert not re.search(r"\(\?|\\[1-9bBAZdwsDWS]|\^|\$(?!\()", pattern.replace("[^", "["))


@pytest.mark.parametrize(
    ("schema", "name"),
    [
        ({"$ref": "#/$defs/triple"}, "triple"),
        ({"$ref": "#/$defs/features"}, "feature"),
        ({"$ref": "#/$defs/product"}, "product"),
        ({"$ref": "#/$defs/text"}, None),
        ({"type": "string"}, None),
        ({}, None),
    ],
)
def test_a_schema_chooses_a_pattern_by_its_definition(schema: dict[str, str], name: str) -> None:
    assert chosen_pattern(schema) is (PATTERNS[name] if name else None)
