"""Names of tags without repetitions."""

import pytest

from registry.domain.names.plain_names import plain_name


@pytest.mark.parametrize(
    ("tag", "plain"),
    [
        ("nvidia/nvidia-a100", "nvidia/a100"),
        ("aws/trn1/trn1.2xlarge", "aws/trn1.2xlarge"),
        ("aws/trn1/trn1.2xlarge:cpu", "aws/trn1.2xlarge:cpu"),
        ("nvidia/h200", ""),
        ("nvidia/geforce-rtx-3060", ""),
        ("amd/amdgpu", ""),  # begins with the namespace's letters, but not as a word
        ("khadas/vim3:big", ""),
    ],
)
def test_namespace_and_folders_are_left_out(tag: str, plain: str) -> None:
    assert plain_name(tag) == plain
