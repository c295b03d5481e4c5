"""The order of the machines of a family."""

import pytest

from registry.domain.names.machine_sizes import size_key


@pytest.mark.parametrize(
    "ordered",
    [
        ["aws/c5.large", "aws/c5.xlarge", "aws/c5.2xlarge", "aws/c5.12xlarge", "aws/c5.metal"],
        ["aws/t3.nano", "aws/t3.micro", "aws/t3.small", "aws/t3.medium", "aws/t3.large"],
        ["aws/m8g.48xlarge", "aws/m8g.metal-24xl", "aws/m8g.metal-48xl"],
        ["aws/g5", "aws/g5.xlarge", "aws/g5.xlarge:cpu", "aws/g5.2xlarge"],
        ["gcp/n2-standard-2", "gcp/n2-standard-16"],
        ["azure/d2s-v5", "azure/d16s-v5"],
        ["nvidia/geforce-rtx-3060", "nvidia/geforce-rtx-3060-ti", "nvidia/geforce-rtx-4060"],
    ],
)
def test_sizes_grow(ordered: list[str]) -> None:
    shuffled = [*ordered[1::2], *ordered[::2]]
    assert sorted(shuffled, key=size_key) == ordered


def test_a_size_inside_a_name_is_none() -> None:
    assert sorted(["acme/large-2", "acme/large-10", "acme/metal"], key=size_key) == [
        "acme/large-2",
        "acme/large-10",
        "acme/metal",
    ]


def test_keys_are_unique() -> None:
    assert size_key("acme/c5.1xlarge") != size_key("acme/c5.01xlarge")
