"""Tags of what several machines share: of a GPU's architecture, or of a core."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q

from registry.domain.document import Json
from registry.models import Attribute

NOT_TELLING = frozenset({"generic", "native", "host", "generic-rv64", "generic-rv32"})
GPU_ARCHITECTURES = {"cuda": "arch", "rocm": "mcpu", "nvptx": "mcpu"}
CORES = Q(tag__attributes__pointer="/hardware/category", tag__attributes__text="cpu-core")


def find(bodies: Iterable[Mapping[str, Any]]) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """Return the families and cores of each kind and processor of some bodies. One query."""
    wanted = {processor for body in bodies if (processor := processor_of(body))}
    if not wanted:
        return {}
    names = {name for _, name in wanted}
    spellings = {*names, *(f"{name}a" for name in names if name.startswith("sm_"))}
    rows = Attribute.objects.filter(
        Q(tag__is_family=True) | CORES,
        name__in=("arch", "mcpu"),
        pointer__in=("/arch", "/mcpu"),
        text__in=spellings,
        tag__entry__version__isnull=False,
    ).values_list("tag__text", "text", "tag__entry__kind")
    tags: dict[tuple[str, str], list[str]] = {}
    for tag, text, kind in sorted(rows):
        tags.setdefault((kind, _plain(text)), []).append(tag)
    return {key: tuple(dict.fromkeys(found)) for key, found in tags.items()}


def processor_of(body: Mapping[str, Json]) -> tuple[str, str] | None:
    """Return kind and processor of a body; nothing where it names none, as `native` does."""
    kind = body.get("kind")
    option = GPU_ARCHITECTURES.get(str(kind), "mcpu" if kind == "llvm" else "")
    name = body.get(option)
    if not isinstance(kind, str) or not isinstance(name, str) or name in NOT_TELLING:
        return None
    return kind, _plain(name)


def _plain(name: str) -> str:
    return name.rstrip("af") if name.startswith("sm_") else name
