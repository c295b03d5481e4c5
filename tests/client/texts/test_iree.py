"""Flags of IREE for what it does not know, on which it crashes."""

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
    return compare(target, f"{GPU}--iree-llvmcpu-target-triple={triple}\n")


def compare(target: Any, text: str) -> Export:
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


MALI = "--iree-hal-target-device=vulkan\n--iree-vulkan-target={}\n"


def test_name_of_a_product_is_accepted() -> None:
    text = MALI.format("mali-g78")
    assert compare({"kind": "vulkan", "device": "mali", "model": "mali-g78"}, text).text == text


@pytest.mark.parametrize(
    ("model", "name"),
    [("mali-g78", "mali-g77"), ("mali-g68", "mali-g68"), ("mali-g68", "mali-g78")],
)
def test_name_of_another_product_is_refused(model: str, name: str) -> None:
    with pytest.raises(Tampered):
        compare({"kind": "vulkan", "device": "mali", "model": model}, MALI.format(name))


@pytest.mark.parametrize(("kind", "device"), [("cuda", "cuda"), ("rocm", "hip")])
@pytest.mark.parametrize("name", ["evil.cfg", "native", "sm_", "sm_89/x", "gfx", "gfx-generic"])
def test_what_is_no_name_of_a_gpu_is_refused(kind: str, device: str, name: str) -> None:
    option = "arch" if kind == "cuda" else "mcpu"
    text = f"--iree-hal-target-device={device}\n--iree-{kind}-target={name}\n"
    with pytest.raises(Tampered):
        compare({"kind": kind, option: name}, text)


@pytest.mark.parametrize(
    ("target", "device"),
    [
        ({"kind": "cuda", "arch": "sm_130a"}, "cuda"),
        ({"kind": "rocm", "mcpu": "gfx1300"}, "hip"),
        ({"kind": "rocm", "mcpu": "gfx9-4-generic"}, "hip"),
    ],
)
def test_gpus_that_a_newer_registry_knows_are_accepted(target: dict[str, str], device: str) -> None:
    kind, name = target.values()
    text = f"--iree-hal-target-device={device}\n--iree-{kind}-target={name}\n"
    assert name in compare(target, text).text
