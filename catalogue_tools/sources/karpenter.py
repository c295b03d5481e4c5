"""Instance types of EC2, from the reference that karpenter generates from EC2's API.

A family is taken where another table says which processor it has; all sizes of it are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from catalogue_tools.clouds.guests import left_out, measured
from catalogue_tools.facts import Row, Table, rows_by
from catalogue_tools.sources.clone import Clone, require
from catalogue_tools.sources.reader import number, table_reader

PATH = "website/content/en/docs/reference/instance-types.md"
LABEL = re.compile(r"\|karpenter\.k8s\.aws/([a-z-]+)\|(.*)\|")


@table_reader("karpenter/ec2_types", "aws/karpenter-provider-aws", PATH, key="type", sort=True)
def read(clone: Clone, _table: Table) -> Iterator[Row | str]:
    """Yield the sizes of families with a known processor."""
    types = list(_types(clone.text(PATH)))
    require(types, PATH, "headings of instance types with labels below them")
    known = measured("aws").keys() | rows_by("aws-guides/announced_families", "family").keys()
    others = {labels["instance-family"] for _, labels in types} - known - left_out("aws")
    yield from (f"{family}: spare-cores/guests lacks its processor" for family in others)
    yield from (_row(name, labels) for name, labels in types if labels["instance-family"] in known)


def _types(text: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield each instance type with its labels, without those that state no family."""
    for section in re.split(r"^### ", text, flags=re.MULTILINE)[1:]:
        labels = dict(LABEL.findall(section))
        if "instance-family" in labels:
            yield section.partition("\n")[0].strip(" `"), labels


def _row(name: str, labels: Mapping[str, str]) -> Row:
    def count(label: str) -> int:
        return number(labels.get(label, ""), f"{label} of {name}")

    row: Row = {
        "type": name,
        "vcpus": count("instance-cpu"),
        "memory_mib": count("instance-memory"),
    }
    if gpu := labels.get("instance-gpu-name"):
        if gpus := count("instance-gpu-count"):
            row |= {"gpu": gpu, "gpus": gpus, "gpu_memory_mib": count("instance-gpu-memory")}
        else:
            row["gpu"] = f"{gpu} slice"
    if accelerator := labels.get("instance-accelerator-name"):
        row["accelerator"] = accelerator
        row["accelerators"] = count("instance-accelerator-count")
    return row
