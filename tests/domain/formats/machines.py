"""Export subjects with the CPU names that LLVM knows."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from hypothesis import strategies as st

from registry.domain.errors import Code, Refused
from registry.domain.exporting import Subject
from registry.services.core import shipped_facts
from tests.domain.formats import subjects

T = TypeVar("T")

# Leaves for which most flags have words, which those of all kinds seldom are.
cpu_leaves = st.fixed_dictionaries(
    {"kind": st.just("llvm")},
    optional={
        "mtriple": st.sampled_from(["x86_64-linux-gnu", "arm-none-eabi", "riscv64-elf", "avr"]),
        "mcpu": st.sampled_from(["generic", "haswell", "cortex-m7", "neoverse-n1", "cortex-a53"]),
        "mabi": st.sampled_from(["lp64d", "aapcs"]),
        "mfloat-abi": st.sampled_from(["hard", "soft"]),
        "mattr": st.lists(
            st.sampled_from(["+neon", "-neon", "+v", "+a.b"]), unique_by=lambda each: each[1:]
        ),
        "num-cores": st.just(4),
        "model": st.just("board"),
        "hardware": st.just({"vendor": "Example"}),
    },
)


def machine(body: Any, node: str = "") -> Subject:
    """Resolve and check a body, and return it or one of its nodes as an export subject."""
    return replace(subjects.subject(body, node), cpus=shipped_facts.cpus())


def machines() -> dict[str, Subject]:
    """Return every whole target of the catalogue by its exact reference."""
    return {
        reference: replace(item, cpus=shipped_facts.cpus())
        for reference, item in subjects.catalogue().items()
    }


def if_fit(write: Callable[[Subject], T], subject: Subject) -> T | None:
    """Return the result of writing a target; None if it is rejected as FORMAT_UNFIT."""
    try:
        return write(subject)
    except Refused as refused:
        if refused.code != Code.FORMAT_UNFIT:
            raise
        return None
