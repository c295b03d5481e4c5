"""Flags of IREE for architectures that it does not know, on which it crashes."""

from typing import Any

import pytest

from tests.client.answers import resolution_answer
from ttag import Export, Tampered
from ttag.references import Reference
from ttag.resolution import Resolution
from ttag.texts import proven

GPU = "--iree-hal-target-device=cuda\n--iree-cuda-target=sm_89\n"
ACCEPTED = ("x86_64-unknown-linux-gnu", "aarch64-linux-gnu", "riscv64-unknown-elf")


def check(triple: str) -> Export:
    """Compare the text of a consistent liar with the target."""
    target: Any = {"kind": "cuda", "arch": "sm_89", "host": {"kind": "llvm", "mtriple": triple}}
    text = f"{GPU}--iree-llvmcpu-target-triple={triple}\n"
    answer = resolution_answer(target, "acme/board@1.0.0")
    resolution = Resolution.from_json(answer, "It", Reference.parse("acme/board@1.0.0"))
    return proven(Export("acme/board@1.0.0", "iree", text), resolution, source="It")


@pytest.mark.parametrize("triple", ["native", "help", "host", "foo-linux-gnu", "a.b"])
def test_unknown_architecture_is_refused(triple: str) -> None:
    with pytest.raises(Tampered):
        check(triple)


@pytest.mark.parametrize("triple", ACCEPTED)
def test_known_architecture_is_accepted(triple: str) -> None:
    assert triple in check(triple).text
