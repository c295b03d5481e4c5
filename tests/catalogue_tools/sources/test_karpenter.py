"""karpenter's reference gives the instance types of EC2."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from catalogue_tools.sources.clone import SourceError
from catalogue_tools.sources.karpenter import PATH
from tests.catalogue_tools.sources.clones import clone_of, read, shipped_rows

TABLE = "karpenter/ec2_types"
TYPES: dict[str, dict[str, str]] = {
    "c8g.12xlarge": {"cpu": "48", "memory": "98304"},
    "c8g.2xlarge": {"cpu": "8", "memory": "16384"},
    "g5.12xlarge": {
        "cpu": "48",
        "gpu-count": "4",
        "gpu-memory": "22888",
        "gpu-name": "a10g",
        "memory": "196608",
    },
    "g6f.large": {
        "cpu": "2",
        "gpu-count": "0",
        "gpu-memory": "2861",
        "gpu-name": "l4",
        "memory": "8192",
    },
    "inf1.6xlarge": {
        "accelerator-count": "4",
        "accelerator-name": "inferentia",
        "cpu": "24",
        "memory": "49152",
    },
}


def page(types: Mapping[str, Mapping[str, str]]) -> str:
    """Return types in the form of the reference."""
    lines = ["# Instance types", "Labels of each type"]
    for name, labels in types.items():
        family, _, size = name.partition(".")
        lines += [f"## {family} Family", f"### `{name}`", "#### Labels", " | Label | Value |"]
        for label, value in {**labels, "family": family, "size": size}.items():
            lines.append(f" |karpenter.k8s.aws/instance-{label}|{value}|")
        lines += [" |kubernetes.io/os|linux|", "#### Resources", " |cpu|1930m|", " |memory|1Mi|"]
    return "\n".join(lines)


def test_types_give_their_rows_in_natural_order(tmp_path: Path) -> None:
    reading = read(TABLE, clone_of(tmp_path, {PATH: page(TYPES)}))
    assert list(reading.rows) == shipped_rows(TABLE, *TYPES)
    assert [row["type"] for row in reading.rows][:2] == ["c8g.2xlarge", "c8g.12xlarge"]
    assert reading.not_taken == ()


def test_families_without_a_known_processor_are_not_taken(tmp_path: Path) -> None:
    size = {"cpu": "2", "memory": "4096"}
    text = page({"z9.large": size, "z9.xlarge": size, "m1.large": size})
    reading = read(TABLE, clone_of(tmp_path, {PATH: text}))
    assert reading.rows == ()
    assert reading.not_taken == ("z9: spare-cores/guests lacks its processor",)


def test_file_without_types_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="has no headings of instance types"):
        read(TABLE, clone_of(tmp_path, {PATH: "# Moved\n"}))


def test_label_that_is_no_number_is_refused(tmp_path: Path) -> None:
    text = page({"c8g.large": {"cpu": "two", "memory": "4096"}})
    with pytest.raises(SourceError, match=r"instance-cpu of c8g\.large is 'two', not a whole"):
        read(TABLE, clone_of(tmp_path, {PATH: text}))
