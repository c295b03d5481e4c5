"""Lists the subjects, which yield tags from tables of facts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from catalogue_tools import missing, tvm
from catalogue_tools.clouds import aws, azure, gcp, graviton
from catalogue_tools.cpus import (
    apple_chips,
    arm_servers,
    cores,
    desktops,
    generic,
    servers,
    x86_families,
)
from catalogue_tools.devices import macbooks, machines, socs
from catalogue_tools.gpus import amd, apple, intel, jetson, mobile, npus, nvidia
from catalogue_tools.microcontrollers import boards, others, stm32
from catalogue_tools.tags import Disagreement, GeneratedTag, Missing

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
