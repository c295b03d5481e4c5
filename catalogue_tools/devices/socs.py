"""Systems on chip, with a variant per cluster of cores and per accelerator."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.devices.accelerators import accelerators, chip_accelerator
from catalogue_tools.devices.bodies import Body, cluster_text, core_features, cpu_body, triple
from catalogue_tools.devices.chip_gpus import chip_facts
from catalogue_tools.devices.chips import Chip, chips, disagreements
from catalogue_tools.devices.cores import Core
from catalogue_tools.devices.systems import LINUX_TWIN, chips_under_linux
from catalogue_tools.hardware import Statement, hardware, pages
from catalogue_tools.names import slug
from catalogue_tools.tags import Disagreement, GeneratedTag, Missing

WINDOWS = frozenset({"qcom/sc8280xp", "qcom/x1e80100"})  # chips of laptops sold with Windows
TAKEN = frozenset({"nvidia/tegra-x1"})  # a hand-written tag, of the GPU


def tags() -> Iterator[GeneratedTag | Disagreement | Missing]:
    """Yield the tags of chips, and the facts on which sources differ."""
    yield from disagreements()
    for chip in chips():
        yield from _chip_tags(chip)


def variants(chip: Chip) -> tuple[str, ...]:
    """Return the variants that a chip has beside its bare name, without those for Linux."""
    windows = ("windows",) if chip.tag in WINDOWS else ()
    return (*clusters(chip), *windows, *accelerators(chip))


def clusters(chip: Chip) -> tuple[str, ...]:
    """Return the variants of a chip that are one of its clusters."""
    return ("big", "little") if chip.certain and len(chip.clusters) > 1 else ()


def aliases(chip: Chip) -> tuple[str, ...]:
    """Return the name that people know better, as `qcom/snapdragon-888` for `qcom/sm8350`."""
    namespace = chip.tag.partition("/")[0]
    product, parenthesis, _ = chip.model.partition(" (")
    alias = f"{namespace}/{slug(product)}"
    known = alias in TAKEN or alias == chip.tag or " and " in product
    return (alias,) if parenthesis and not known else ()


def _chip_tags(chip: Chip) -> Iterator[GeneratedTag]:
    whole = _part(chip) if chip.parent else _whole(chip)
    yield _tag(chip, "", whole, _message(chip), aliases(chip))
    for variant in variants(chip):
        if own := accelerators(chip).get(variant):
            body, message = chip_accelerator(chip, variant), own.message(variant)
        elif variant == "windows":
            body, message = _windows(chip), "Under Windows"
        else:
            core, count = chip.clusters[-1 if variant == "big" else 0]
            body = _part(chip, variant) if chip.parent else _cluster(chip, core, count)
            message = _cluster_message(chip, variant)
        yield _tag(chip, variant, body, message)
    if chip.tag in chips_under_linux():
        yield from (_linux_twin(chip, variant) for variant in clusters(chip))


def _linux_twin(chip: Chip, variant: str) -> GeneratedTag:
    """Return a cluster of a phone's chip in machines that run Linux."""
    own = f"{variant}{LINUX_TWIN}"
    linux: Body = {"mtriple": triple(chip.clusters[0][0].mcpu, "linux")}
    body = _part(chip, own) if chip.parent else {"tag": f"{chip.tag}:{variant}@1", **linux}
    return _tag(chip, own, body, f"{_cluster_message(chip, variant)}, under Linux")


def _cluster_message(chip: Chip, variant: str) -> str:
    size = "largest" if variant == "big" else "smallest"
    cluster = chip.clusters[-1 if variant == "big" else 0]
    return f"The {size} cores only: {cluster_text([cluster])}"


def _whole(chip: Chip) -> Body:
    facts: Body = {"vendor": chip.vendor, "model": chip.model}
    if chip.certain:
        facts["family"] = cluster_text(chip.clusters)
    facts |= {"category": "soc"}
    counted: Body = {"cores": chip.cores}
    if chip.certain:
        counted["clusters"] = cluster_text(chip.clusters)
    counts = Statement(counted, chip.core_urls)
    own = hardware(Statement(facts, chip.urls), counts, *chip_facts(chip), joined_groups=())
    return cpu_body(chip) | {"hardware": own}


def _part(chip: Chip, variant: str = "") -> Body:
    """Return a selected part of another chip, which differs in its name only."""
    parent = f"{chip.parent}:{variant}" if variant else chip.parent
    stated = [Statement({"model": chip.model}, chip.urls)]
    if not variant:
        stated += chip_facts(chip)
    return {"tag": f"{parent}@1", "hardware": hardware(*stated)}


def _windows(chip: Chip) -> Body:
    if chip.parent:
        return _part(chip, "windows")
    return {"tag": f"{chip.tag}@1", "mtriple": triple(chip.clusters[0][0].mcpu, "windows")}


def _cluster(chip: Chip, core: Core, count: int) -> Body:
    """Return one cluster, with the facts of the whole chip.

    They are those of a chip with other cores, too: a cluster that overrides the processor says so.
    """
    body: Body = {"tag": f"{chip.tag}@1"}
    smallest = chip.clusters[0][0]
    if core.mcpu != smallest.mcpu:
        body["mcpu"] = core.mcpu
        features, inherited = core_features(chip, core), core_features(chip, smallest)
        if features != inherited:
            body["mattr"] = [*features] or None
        body["hardware"] = {"clusters": cluster_text(chip.clusters)}
    return body | {"num-cores": count}


def _message(chip: Chip) -> str:
    if not chip.certain:
        return "All cores, with the features of the smaller: sources differ on the clusters"
    if len(chip.clusters) > 1:
        return f"{cluster_text(chip.clusters)}: all cores, with the features of the smallest"
    return cluster_text(chip.clusters)


def _tag(
    chip: Chip, variant: str, body: Body, message: str, names: tuple[str, ...] = ()
) -> GeneratedTag:
    name = f"{chip.tag}:{variant}" if variant else chip.tag
    file = f"devices/{chip.tag.partition('/')[0]}"
    own = accelerators(chip).get(variant)
    urls = [*chip.urls, *([own.url] if own else []), *([] if variant else pages(*chip_facts(chip)))]
    return GeneratedTag(
        name,
        file,
        body,
        message,
        tuple(dict.fromkeys(urls)),
        aliases=names,
        correction=chip.features.reason if "mattr" in body else "",
    )
