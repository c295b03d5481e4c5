"""Where a list and a machine differ in memory, both values are listed."""

from catalogue_tools.clouds import azure, gcp
from catalogue_tools.clouds.memory_differences import memory_differences
from catalogue_tools.tags import Disagreement

FACT = "hardware.memory_bytes"


def test_types_on_which_list_and_machine_differ_are_listed() -> None:
    items = [item for generator in (azure.tags, gcp.tags) for item in generator()]
    tags = {item.tag for item in items if isinstance(item, Disagreement) and item.fact == FACT}
    metal = {"gcp/c4-highmem-288-metal", "gcp/c4-standard-288-metal"}
    assert metal <= tags
    assert all(tag.startswith("azure/dc") for tag in tags - metal)


def test_corrected_type_is_settled() -> None:
    items = [item for item in azure.tags() if isinstance(item, Disagreement)]
    assert "azure/d1-v2" not in {item.tag for item in items}


def test_rounding_is_no_difference() -> None:
    items = [item for item in gcp.tags() if isinstance(item, Disagreement)]
    assert "gcp/n1-highcpu-16" not in {item.tag for item in items}


def test_cloud_without_machines_has_none() -> None:
    assert not list(memory_differences("azure", []))
