"""References as the client reads them."""

import pytest

from registry.domain import reference as registry_references
from registry.domain.errors import Refused
from ttag import ReferenceInvalid
from ttag.references import Reference

VALID = [
    "aws/c4.4xlarge",
    "nvidia/jetson-nano:cuda@1",
    "nvidia/jetson-nano@1.2",
    "nvidia/jetson-nano@1.2.3",
    f"arm/soc@sha256:{'0' * 64}",
    "nvidia/geforce-gt-730-ddr3,128bit",
]
INVALID = [
    "",
    "aws",
    "aws/",
    "AWS/c4",
    "-x/y",
    "aws/c 4",
    "aws/c4\n",
    "aws/c4@",
    "aws/c4@latest",
    "aws/c4@1.2.3.4",
    "aws/c4@01",
    "aws/c4@sha256:0",
    "aws/c4@1@2",
    "aws/" + "x" * 255,
]


@pytest.mark.parametrize("text", VALID)
def test_what_the_registry_reads_the_client_reads(text: str) -> None:
    registry_references.Reference.parse(text)
    assert str(Reference.parse(text)) == text


@pytest.mark.parametrize("text", INVALID)
def test_what_the_client_refuses_the_registry_refuses(text: str) -> None:
    with pytest.raises(Refused):
        registry_references.Reference.parse(text)
    with pytest.raises(ReferenceInvalid, match="expected"):
        Reference.parse(text)


@pytest.mark.parametrize("text", VALID)
def test_floating_references_are_those_of_the_registry(text: str) -> None:
    expected = registry_references.Reference.parse(text).selector.is_floating
    assert Reference.parse(text).is_floating is expected


def test_namespace_is_the_first_segment() -> None:
    assert Reference.parse("nvidia/jetson-nano:cuda@1").namespace == "nvidia"
