"""What a tag is, in one line."""

import pytest

from registry.domain.descriptions.one_line import one_line


@pytest.mark.parametrize(
    ("facts", "kind", "is_family", "line"),
    [
        (
            {"vendor": "NVIDIA", "model": "GeForce RTX 4090", "category": "gpu", "family": "Ada"},
            "cuda",
            False,
            "NVIDIA GeForce RTX 4090: a GPU, Ada",
        ),
        (
            {
                "vendor": "AWS",
                "model": "g6.xlarge",
                "category": "cloud-instance",
                "family": "EC2 G6 with NVIDIA L4",
            },
            "cuda",
            False,
            "AWS g6.xlarge: a cloud instance with NVIDIA L4",
        ),
        (
            {
                "vendor": "AWS",
                "model": "c6i.large",
                "category": "cloud-instance",
                "family": "EC2 C6i: Intel Xeon 8375C",
            },
            "llvm",
            False,
            "AWS c6i.large: a cloud instance, Intel Xeon 8375C",
        ),
        (
            {"vendor": "AWS", "category": "cloud-instance", "family": "EC2 C6i: Intel Xeon 8375C"},
            "llvm",
            True,
            "AWS EC2 C6i: a family of cloud instances",
        ),
        (
            {"vendor": "AMD", "category": "gpu", "family": "RDNA 2"},
            "rocm",
            False,
            "AMD RDNA 2: a GPU",
        ),
        ({"vendor": "Acme"}, "llvm", False, "Acme: a target"),
        ({}, "c", False, "a target"),
        ({}, "", False, "a patch for other targets"),
    ],
)
def test_line_says_what_the_facts_state(
    facts: dict[str, str], kind: str, *, is_family: bool, line: str
) -> None:
    assert one_line(facts, kind, is_family=is_family) == line
