"""Lists the subjects, which yield tags from tables of facts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from registry.generator import tvm
from registry.generator.clouds import aws, azure, gcp, graviton, missing
from registry.generator.cpus import (
    apple_chips,
    arm_servers,
    cores,
    desktops,
    generic,
    servers,
    x86_families,
)
from registry.generator.devices import macbooks, machines, socs
from registry.generator.gpus import amd, apple, intel, jetson, mobile, npus, nvidia
from registry.generator.microcontrollers import boards, others, stm32
from registry.generator.tags import Disagreement, GeneratedTag, Missing

Subject = Callable[[], Iterator[GeneratedTag | Disagreement | Missing]]

SUBJECTS: tuple[Subject, ...] = (
    amd.tags,
    apple.tags,
    apple_chips.tags,
    arm_servers.tags,
    aws.tags,
    azure.tags,
    boards.tags,
    cores.tags,
    desktops.tags,
    gcp.tags,
    generic.tags,
    graviton.tags,
    intel.tags,
    jetson.tags,
    macbooks.tags,
    machines.tags,
    missing.tags,
    mobile.tags,
    npus.tags,
    nvidia.tags,
    others.tags,
    servers.tags,
    socs.tags,
    stm32.tags,
    tvm.tags,
    x86_families.tags,
)
