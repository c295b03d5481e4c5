"""Messages of later versions say what changes, and only that."""

from typing import Any

import pytest

from catalogue_tools.version_messages import version_message


def hardware(**facts: Any) -> dict[str, Any]:
    return {"kind": "llvm", "hardware": facts | {"sources": {"all": ["https://example.org"]}}}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (hardware(), hardware(cores=4), "Adds cores."),
        (hardware(), hardware(memory_bytes=1, power_watts=2), "Adds memory and power."),
        (hardware(memory_bytes=1), hardware(memory_bytes=2), "Changes memory."),
        (hardware(boost_clock_hz=1), hardware(), "Takes back boost clock."),
        (hardware(boost_clock_hz=1), hardware(boost_clock_hz=None), "Takes back boost clock."),
        (hardware(), hardware(cores=None), "Takes back cores."),  # those of the parent
        ({"tag": "a/b@1"}, {"tag": "a/b@1", "mcpu": None}, "Takes back mcpu."),
        ({"mcpu": None}, {"mcpu": None, "mattr": ["+a"]}, "Adds mattr."),
        ({"tag": "a/b@1"}, {"tag": "a/b@2"}, "Changes the parent."),
        ({"mattr": ["+a"]}, {"mattr": ["-a"], "mcpu": "x"}, "Adds mcpu. Changes mattr."),
        (
            hardware(cores=1, memory_bytes=1),
            hardware(cores=2, threads=4),
            "Adds threads. Changes cores. Takes back memory.",
        ),
    ],
)
def test_message_names_what_changes(old: Any, new: Any, message: str) -> None:
    assert version_message(old, new) == message


def test_reason_comes_first() -> None:
    message = version_message(hardware(cores=4), hardware(cores=2), "Its dump shows two cores")
    assert message == "Its dump shows two cores. Changes cores."


def test_reason_is_left_out_where_nothing_was_wrong() -> None:
    old, new = hardware(cores=4), hardware(cores=4, memory_bytes=1)
    assert version_message(old, new, "Its dump shows two cores") == "Adds memory."
    flags = new | {"mattr": ["-aes"]}
    assert version_message(old, flags, "Its dump shows no AES") == (
        "Its dump shows no AES. Adds memory and mattr."
    )


def test_long_lists_are_cut() -> None:
    facts = dict.fromkeys(("cores", "threads", "vendor", "model", "family", "gpu", "npu"), 1)
    message = version_message(hardware(), hardware(**facts))
    assert message == "Adds cores, family, gpu, model, npu and 2 more."


def test_other_sources_alone_are_no_fact() -> None:
    other: dict[str, Any] = {
        "kind": "llvm",
        "hardware": {"sources": {"all": ["https://example.org/b"]}},
    }
    assert version_message(hardware(), other) == "States other sources."
