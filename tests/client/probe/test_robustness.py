"""Outputs may be garbage, cut off or huge: no parser fails, and no body is refused for it."""

import json
import unicodedata

import pytest
from hypothesis import given, strategies as st

from registry.domain.document import canonical
from tests.client.probe.recordings import MACHINES, NAMES
from tests.domain.builders import check_text
from ttag.errors import SettingsError
from ttag.probe import describe
from ttag_rules.probe.outputs import MAX_OUTPUT, SOURCES, Outputs, clean

FILES = [source.name for source in SOURCES]
RECORDED = sorted(
    (path.name, path.read_bytes())
    for name in NAMES
    for path in (MACHINES / name).iterdir()
    if path.name in FILES
)
WORDS = st.sampled_from(
    sorted({word for _, data in RECORDED for word in data.decode().split()})[:2000]
)
LINES = st.lists(st.lists(WORDS | st.text(max_size=8), max_size=6).map(" ".join), max_size=30)


def accepted(outputs: Outputs) -> None:
    """Check that outputs either tell nothing, or give a body that the rules accept."""
    try:
        body = describe(outputs).body
    except SettingsError:
        return
    check_text(canonical(json.loads(json.dumps(body))))


@given(st.dictionaries(st.sampled_from(FILES), st.binary(max_size=400), max_size=4))
def test_garbage_is_read(data: dict[str, bytes]) -> None:
    accepted(Outputs({name: clean(each) for name, each in data.items()}))


@given(st.dictionaries(st.sampled_from(FILES), LINES, max_size=4))
def test_words_of_real_outputs_in_any_order_are_read(lines: dict[str, list[str]]) -> None:
    accepted(Outputs({name: clean("\n".join(each).encode()) for name, each in lines.items()}))


@given(st.sampled_from(RECORDED), st.integers(0, 4000), st.integers(0, 60), st.binary(max_size=20))
def test_outputs_that_are_cut_or_damaged_are_read(
    recorded: tuple[str, bytes], start: int, length: int, replacement: bytes
) -> None:
    name, data = recorded
    start %= len(data)
    accepted(Outputs({name: clean(data[:start] + replacement + data[start + length :])}))


@given(st.sampled_from(RECORDED), st.integers(0, 4000), st.integers(0, 10**30))
def test_numbers_of_any_size_are_read(recorded: tuple[str, bytes], start: int, number: int) -> None:
    name, data = recorded
    start %= len(data)
    accepted(Outputs({name: clean(data[:start] + str(number).encode() + data[start:])}))


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    "unit", ["x", "\n", "GPU0:\n", "Agent 1\n", "processor: 0\n", "[", "a,b\n"]
)
def test_huge_output_is_read(name: str, unit: str) -> None:
    accepted(Outputs({name: clean(unit.encode() * (MAX_OUTPUT // len(unit)))}))


@given(st.text())
def test_cleaned_text_holds_nothing_that_steers_a_terminal(text: str) -> None:
    cleaned = clean(text.encode("utf-8", "replace"))
    assert all(
        character in "\n\t" or unicodedata.category(character)[0] != "C" for character in cleaned
    )


def test_escapes_in_names_do_not_reach_the_body() -> None:
    gpu = "name, compute_cap\n\x1b]0;title\x07Tesla\x1b[31m T4\u202e, 7.5\n"
    hardware = describe(Outputs({"nvidia-smi.csv": clean(gpu.encode())})).body["hardware"]
    assert hardware == {"vendor": "NVIDIA", "model": "]0;titleTesla[31m T4"}
