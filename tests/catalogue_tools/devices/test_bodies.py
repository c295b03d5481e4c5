"""Bodies of CPUs."""

import pytest

from catalogue_tools.devices.bodies import cpu_body, triple
from catalogue_tools.devices.chips import chip


@pytest.mark.parametrize(
    ("mcpu", "system", "expected"),
    [
        ("cortex-a55", "linux", "aarch64-unknown-linux-gnu"),
        ("cortex-x4", "android", "aarch64-linux-android"),
        ("oryon-1", "windows", "aarch64-pc-windows-msvc"),
        ("cortex-a7", "linux", "armv7a-unknown-linux-gnueabihf"),
        ("cortex-a72", "linux", "aarch64-unknown-linux-gnu"),
        ("arm1176jzf-s", "linux", "armv6-unknown-linux-gnueabihf"),
        ("sifive-u74", "linux", "riscv64-unknown-linux-gnu"),
        ("generic-rv64", "linux", "riscv64-unknown-linux-gnu"),
    ],
)
def test_triple_follows_processor_and_system(mcpu: str, system: str, expected: str) -> None:
    assert triple(mcpu, system) == expected


def test_system_that_no_such_processor_runs_is_an_error() -> None:
    with pytest.raises(KeyError):
        triple("sifive-u74", "windows")


def test_raspberry_pi_4_has_no_cryptography() -> None:
    assert cpu_body(chip("broadcom/bcm2711")) == {
        "kind": "llvm",
        "keys": ["arm_cpu", "cpu"],
        "device": "arm_cpu",
        "mtriple": "aarch64-unknown-linux-gnu",
        "mcpu": "cortex-a72",
        "mattr": ["-aes", "-sha2"],
        "num-cores": 4,
    }


def test_riscv_chip_states_its_abi() -> None:
    body = cpu_body(chip("starfive/jh7110"))
    assert body["keys"] == ["riscv_cpu", "cpu"]
    assert (body["mabi"], body["mfloat-abi"]) == ("lp64d", "hard")
    assert body["mattr"] == ["+zba", "+zbb"]
