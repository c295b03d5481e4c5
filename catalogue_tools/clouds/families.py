"""Families of machine types, as the names of the types say."""

from __future__ import annotations

import re
from collections.abc import Callable

# Standard_NC24ads_A100_v4: letters, vCPUs (-constrained), features, accelerator, version
AZURE_SIZE = re.compile(r"Standard_([A-Z]+)\d+(?:-\d+)?([a-z]*)((?:_[A-Za-z0-9]+)*?)(?:_(v\d+))?")
ISOLATED = re.compile(r"^(E)i|^(Mbd?s)_\d")  # sizes that have a machine or a part for themselves
AZURE_SERIES = {  # of sizes whose letters are not those of their series
    "Am_v2": "av2",
    "Bals_v2": "basv2",
    "Bats_v2": "basv2",
    "Bls": "bv1",
    "Bls_v2": "bsv2",
    "Bms": "bv1",
    "Bpls_v2": "bpsv2",
    "Bpts_v2": "bpsv2",
    "Bs": "bv1",
    "Bts_v2": "bsv2",
    "FXmds": "fx",
    "HBrs_v2": "hbv2",
    "HBrs_v3": "hbv3",
    "HBrs_v4": "hbv4",
    "HCrs": "hc",
    "NCadis_H100_v5": "ncads-h100-v5",
    "NCads_A100_v4": "ncads-a100-v4",
    "NCads_H100_v5": "ncads-h100-v5",
    "NCas_T4_v3": "ncas-t4-v3",
    "NDamsr_A100_v4": "ndamsr-a100-v4",
    "NDasr_v4": "ndasr-a100-v4",
    "NDis_MI300X_v5": "ndis-mi300x-v5",
    "NDisr_H100_v5": "ndisr-h100-v5",
    "NDisr_MI300X_v5": "ndis-mi300x-v5",
    "NDrs_v2": "ndv2",
    "NVadms_A10_v5": "nvads-a10-v5",
    "NVads_A10_v5": "nvads-a10-v5",
}


def azure_letters(size: str) -> str:
    """Return what the name of a size says of its series, as `NCads_A100_v4`; empty if nothing."""
    match = AZURE_SIZE.fullmatch(size)
    if not match:
        return ""
    letters, features, accelerator, version = match.groups()
    name = f"{letters}{features}{accelerator}{f'_{version}' if version else ''}"
    return ISOLATED.sub(lambda part: part[1] or part[2], name)


def azure_series(letters: str) -> str:
    """Return the series of these letters as tags spell it."""
    return AZURE_SERIES.get(letters, letters.replace("_", "").lower())


def _alibaba(name: str) -> str:
    return re.match(r"(?:ecs\.)?[a-z0-9]+", name)[0]  # type: ignore[index]  # names begin so


def _upcloud(name: str) -> str:
    line = name.rpartition("CPU-")[0].rstrip("x0123456789").strip("-")
    return line.lower() or "general"


def _vultr(name: str) -> str:
    line, _, rest = name.partition("-")
    maker = rest.rpartition("-")[2]
    return f"{line}-{maker}" if maker in ("amd", "intel") else line


FAMILIES: dict[str, Callable[[str], str]] = {
    "alibaba": _alibaba,
    "aws": lambda name: name.partition(".")[0],
    "azure": lambda name: azure_series(azure_letters(name)),
    "gcp": lambda name: name.partition("-")[0],
    "hetzner": lambda name: name.rstrip("0123456789"),
    "ovh": lambda name: name.partition("-")[0],
    "upcloud": _upcloud,
    "vultr": _vultr,
}


def family_name(cloud: str, name: str) -> str:
    """Return the family of a machine type, by the cloud's name of the type."""
    return FAMILIES[cloud](name)
