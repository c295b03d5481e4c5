"""Lists the readers, and finds those for a clone."""

from __future__ import annotations

from collections.abc import Sequence

from catalogue_tools.sources import (
    ai_hub,
    amd_device_info,
    arm_socs_table,
    cccl,
    cluster_autoscaler,
    cyclenerd,
    executorch,
    intel_compute_runtime,
    karpenter,
    libgpuinfo,
    lineageos,
    mesa,
    opendb,
    pci_ids,
    platformio,
    quattor,
    rocm_docs,
    skypilot,
    spare_cores,
    stm32_data,
    vela,
)
from catalogue_tools.sources.clone import Clone, SourceError
from catalogue_tools.sources.hand_kept import HAND_KEPT
from catalogue_tools.sources.reader import Reader
from registry.domain.near_names import nearest_names

READERS: tuple[Reader, ...] = (
    *ai_hub.READERS,
    *amd_device_info.READERS,
    *arm_socs_table.READERS,
    *cccl.READERS,
    *cluster_autoscaler.READERS,
    *cyclenerd.READERS,
    *executorch.READERS,
    *intel_compute_runtime.READERS,
    *karpenter.READERS,
    *libgpuinfo.READERS,
    *lineageos.READERS,
    *mesa.READERS,
    *opendb.READERS,
    *pci_ids.READERS,
    *platformio.READERS,
    *quattor.READERS,
    *rocm_docs.READERS,
    *skypilot.READERS,
    *spare_cores.READERS,
    *stm32_data.READERS,
    *vela.READERS,
)


def readers_of(source: str) -> Sequence[Reader]:
    """Return the readers of a source. Raises `SourceError`, with near names, if it has none."""
    readers = [reader for reader in READERS if reader.source == source]
    if not readers:
        raise SourceError(_no_reader(source))
    return readers


def readers_for(clone: Clone, source: str, repo: str = "") -> Sequence[Reader]:
    """Return the readers of a source for a clone of one of its repositories.

    `repo` states the repository of a clone that does not say where it comes from, or comes from a
    copy. Raises `SourceError` if there is no reader, or it is not clear which.
    """
    readers = readers_of(source)
    repos = sorted({reader.repo for reader in readers})
    chosen = repo or clone.repo or (repos[0] if len(repos) == 1 else "")
    if chosen not in repos:
        origin = f"a clone of {chosen}" if chosen else "not known to be a clone"
        raise SourceError(
            f"{clone.folder} is {origin}; {source} comes from {' or '.join(repos)}: "
            "state with --repo which one it is a copy of."
        )
    return [reader for reader in readers if reader.repo == chosen]


def _no_reader(source: str) -> str:
    if source in HAND_KEPT:
        return f"The tables of {source} are kept by hand: {HAND_KEPT[source]}."
    sources = {reader.source for reader in READERS}
    names = sorted(sources | {name for name in HAND_KEPT if "/" not in name})
    near = nearest_names(source, names)
    hint = f"Did you mean {' or '.join(near)}?" if near else f"There are {', '.join(names)}."
    return f"There is no source {source}. {hint}"
