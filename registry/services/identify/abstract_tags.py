"""Tags of what several machines share: the architecture of a GPU, a core, a system of none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q

from registry.domain.document import Json
from registry.domain.names.name_folding import fold_name
from registry.models import Attribute, Entry
from ttag_rules.triples import Triple

NOT_TELLING = frozenset({"generic", "native", "host", "generic-rv64", "generic-rv32"})
GPU_ARCHITECTURES = {"cuda": "arch", "rocm": "mcpu", "nvptx": "mcpu"}
SHARED = Q(text="cpu-core") | Q(text="gpu", tag__is_family=True)
CATEGORY = "/hardware/category"
# Nobody builds machines for these: a tag of the namespace is all that there is.
GENERIC = "generic"
SYSTEMS = ("webgpu", "wasm32")

Processor = tuple[str, str]  # kind and name


def find(bodies: Iterable[Mapping[str, Any]]) -> Mapping[Processor, tuple[str, ...]]:
    """Return the families and cores of each processor of some bodies. At most two queries."""
    wanted = {processor for body in bodies if (processor := processor_of(body))}
    systems = {processor for processor in wanted if processor[1] in SYSTEMS}
    names = {name for _, name in wanted - systems}
    spellings = {*names, *(f"{name}a" for name in names if name.startswith("sm_"))}
    tags: dict[Processor, list[str]] = {}
    if names:
        shared = Attribute.objects.filter(SHARED, name="category", pointer=CATEGORY)
        rows = Attribute.objects.filter(
            name__in=("arch", "mcpu"),
            pointer__in=("/arch", "/mcpu"),
            text__in=spellings,
            tag__in=shared.values("tag"),
        ).values_list("tag__text", "text", "tag__entry__kind")
        for tag, text, kind in sorted(rows):
            tags.setdefault((kind, _plain(text)), []).append(tag)
    if systems:
        entries = Entry.objects.filter(namespace__name=GENERIC).values_list("text", "kind", "arch")
        for tag, kind, arch in sorted(entries):
            tags.setdefault((kind, arch or kind), []).append(tag)
    return {key: _namesakes(key[1], dict.fromkeys(found)) for key, found in tags.items()}


def _namesakes(processor: str, tags: Iterable[str]) -> tuple[str, ...]:
    """Return the tags that are called like a processor if there are any: `intel/skylake`."""
    every = tuple(tags)
    own = [tag for tag in every if fold_name(tag.partition("/")[2]) == fold_name(processor)]
    return tuple(own) or every


def processor_of(body: Mapping[str, Json]) -> Processor | None:
    """Return kind and processor of a body; nothing where it names none, as `native` does."""
    kind = str(body.get("kind", ""))
    arch = Triple.parse(triple).arch if isinstance(triple := body.get("mtriple"), str) else ""
    if kind in SYSTEMS or arch in SYSTEMS:
        return kind, arch if arch in SYSTEMS else kind
    option = GPU_ARCHITECTURES.get(kind, "mcpu" if kind == "llvm" else "")
    name = body.get(option)
    if not isinstance(name, str) or name in NOT_TELLING:
        return None
    return kind, _plain(name)


def _plain(name: str) -> str:
    return name.rstrip("af") if name.startswith("sm_") else name
