"""The name of a machine type says its family."""

import pytest

from catalogue_tools.clouds.families import azure_letters, family_name


@pytest.mark.parametrize(
    ("cloud", "name", "family"),
    [
        ("alibaba", "ecs.c6.large", "ecs.c6"),
        ("alibaba", "ecs.u1-c1m2.xlarge", "ecs.u1"),
        ("alibaba", "ecs.gn6i-c4g1.xlarge", "ecs.gn6i"),
        ("aws", "c8i-flex.large", "c8i-flex"),
        ("aws", "u-6tb1.metal", "u-6tb1"),
        ("azure", "Standard_D4s_v5", "dsv5"),
        ("azure", "Standard_E104ids_v5", "edsv5"),  # isolated
        ("azure", "Standard_E4-2s_v5", "esv5"),  # with constrained vCPUs
        ("azure", "Standard_M176bds_4_v3", "mbdsv3"),
        ("azure", "Standard_NC24ads_A100_v4", "ncads-a100-v4"),
        ("azure", "Standard_B1ls", "bv1"),
        ("gcp", "n2-standard-8", "n2"),
        ("hetzner", "cpx11", "cpx"),
        ("ovh", "b3-8", "b3"),
        ("ovh", "t1-le-45", "t1"),
        ("upcloud", "1xCPU-1GB", "general"),
        ("upcloud", "CLOUDNATIVE-1xCPU-4GB", "cloudnative"),
        ("upcloud", "GPU-12xCPU-128GB-1xL4", "gpu"),
        ("vultr", "vc2-1c-1gb", "vc2"),
        ("vultr", "vhp-2c-4gb-amd", "vhp-amd"),
        ("vultr", "vhp-2c-4gb-intel", "vhp-intel"),
    ],
)
def test_type_names_its_family(cloud: str, name: str, family: str) -> None:
    assert family_name(cloud, name) == family


@pytest.mark.parametrize("name", ["Basic_A0", "Standard_", "standard_d4s_v5"])
def test_other_names_say_nothing_of_a_series(name: str) -> None:
    assert azure_letters(name) == ""
