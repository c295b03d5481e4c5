"""Phones as Android's `getprop` and `build.prop` print them."""

from __future__ import annotations

from collections.abc import Iterator

from registry.domain.identify.fields import Block, blocks, read_fields
from registry.domain.identify.places import Evidence, facts_of_block
from registry.domain.identify.readings import Reading, Recognised

MODEL, ABI = "ro.product.model", "ro.product.cpu.abi"
SOC = "ro.soc.model"  # other properties name the chip that others of its series are called after
CHIPS = (SOC, "ro.chipname", "ro.board.platform", "ro.hardware.chipname")
PREFIXES = ("ro.product.", "ro.board.", "ro.soc.")
TRIPLES = {
    "arm64-v8a": "aarch64-linux-android",
    "armeabi-v7a": "armv7a-linux-androideabi",
    "x86_64": "x86_64-linux-android",
}
KEYS = {"x86_64": "x86"}
EVIDENCE: Evidence = {
    "/mtriple": (ABI,),
    "/keys": (ABI,),
    "/hardware/model": (MODEL,),
    "/hardware/vendor": ("ro.product.manufacturer", "ro.product.brand"),
    "/hardware/soc": CHIPS,
}


def read(text: str) -> Iterator[Reading]:
    """Yield the phone of each list of properties."""
    if not any(prefix in text for prefix in PREFIXES):
        return
    fields = [field for field in read_fields(text) if field.name.startswith("ro.")]
    names = {field.name.lower() for field in fields}
    for block in blocks(
        fields, names, lambda field, before: field.name == MODEL and MODEL in before
    ):
        if MODEL in block.names or {*CHIPS} & block.names:
            yield _phone(block)


def _phone(block: Block) -> Reading:
    abi, model, chip = block.value(ABI), block.value(MODEL), block.value(*CHIPS)
    vendor = block.value("ro.product.manufacturer", "ro.product.brand")
    body: dict[str, object] = {"kind": "llvm"}
    if abi in TRIPLES:
        body |= {"keys": [KEYS.get(abi, "arm_cpu"), "cpu"], "mtriple": TRIPLES[abi]}
    if model:
        vendor = vendor[:1].upper() + vendor[1:]
        body["hardware"] = {"model": model} | ({"vendor": vendor} if vendor else {})
    names = [model, f"{vendor} {model}"] if model else []
    return Reading(
        body,
        facts_of_block(body, block, EVIDENCE),
        ("the cores: getprop does not state them; /proc/cpuinfo does",),
        (Recognised("getprop", block.start, block.end),),
        tuple(filter(None, (*names, chip.lower()))),
        chip=block.value(SOC).lower(),
    )
