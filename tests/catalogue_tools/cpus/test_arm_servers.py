"""Arm processors of servers state what their machines report."""

import pytest

from catalogue_tools.cpus import arm_servers

TAGS = {tag.name: tag for tag in arm_servers.tags()}


@pytest.mark.parametrize(
    ("name", "mattr", "correction"),
    [
        ("fujitsu/a64fx", ["-aes"], "Linux does not report AES on machines with this chip."),
        (
            "gcp/axion",
            ["+aes", "+sha2", "+sha3"],
            "Linux reports AES, SHA-2 and SHA-3 on every machine with this chip.",
        ),
        ("ampere/altra", None, ""),
        ("nvidia/grace", None, ""),
        ("marvell/thunderx2-cn9980", None, ""),
        ("marvell/thunderx-cn8890", None, ""),
    ],
)
def test_processor_states_what_differs_from_its_name(
    name: str, mattr: list[str] | None, correction: str
) -> None:
    assert TAGS[name].body.get("mattr") == mattr
    assert TAGS[name].correction == correction


def test_deciding_dump_is_a_source() -> None:
    assert any("linux-rocky8-a64fx" in url for url in TAGS["fujitsu/a64fx"].sources)
