"""The build for all machines of each of the largest families of cloud types."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ttag_rules.compatibility.baseline.baseline import (
    Build,
    TooFewBuilds,
    UnusableMachines,
    baseline,
)
from ttag_rules.compatibility.feature_names import features_text, first_names

CATEGORY = "cloud-instance"
LARGEST = 10
MAX_LISTED = 2  # features of a build

Target = Mapping[str, Any]
Family = tuple[str, str]  # its cloud and its processors, as the types state them


def family_lines(targets: Iterable[Target]) -> Iterator[str]:
    """Yield a table in Markdown of the largest families, with the build for each and its losses."""
    yield "| cloud | processors | types | build | loses |"
    yield "|---|---|---|---|---|"
    families = sorted(_families(targets).items(), key=lambda each: (-len(each[1]), each[0]))
    for (cloud, processors), members in families[:LARGEST]:
        yield f"| {cloud} | {processors} | {len(members)} | {_build_text(members)} |"


def _families(targets: Iterable[Target]) -> Mapping[Family, list[Target]]:
    families = defaultdict[Family, list[Target]](list)
    for target in targets:
        facts = target.get("hardware")
        if isinstance(facts, dict) and facts.get("category") == CATEGORY and "family" in facts:
            families[str(facts["vendor"]), str(facts["family"])].append(target)
    return families


def _build_text(members: Sequence[Target]) -> str:
    try:
        (build,) = baseline(list(map(dict, members)), 1).builds
    except (TooFewBuilds, UnusableMachines) as error:
        return f"none | {error}"
    return f"{_name(build)} | {_losses(build, len(members))}"


def _name(build: Build) -> str:
    host = build.target.get("host", build.target)
    device = [str(build.target.get("arch", ""))] if host is not build.target else []
    named = " ".join([*filter(None, device), str(host.get("mcpu", ""))])
    features = host.get("mattr", ())
    return f"`{named}` {first_names(features, MAX_LISTED)}" if features else f"`{named}`"


def _losses(build: Build, total: int) -> str:
    texts = [
        f"{features_text(features)} on {len(losers)} of {total}"
        for features, losers in build.shared_losses()
    ]
    return "; ".join(texts) or "nothing"
