"""Tags of MacBooks."""

from catalogue_tools.devices import macbooks
from catalogue_tools.facts import read_table


def test_macbook_inherits_from_its_chip_and_is_the_host_of_its_gpu() -> None:
    tags = {tag.name: tag.body for tag in macbooks.tags()}
    air = tags["apple/macbook-air-m1-2020"]
    assert air["tag"] == "apple/m1@1"
    gpu = tags["apple/macbook-air-m1-2020:metal"]
    assert (gpu["tag"], gpu["host"]) == ("apple/m1-gpu@3", "apple/macbook-air-m1-2020@1")
    assert tags["apple/macbook-pro-14-inch-m2-max-2023"]["tag"] == "apple/m2-max@1"


def test_clock_of_the_gpu_is_not_that_of_the_machine() -> None:
    tags = {tag.name: tag.body["hardware"] for tag in macbooks.tags()}
    gpu, cpu = tags["apple/macbook-air-m1-2020:metal"], tags["apple/macbook-air-m1-2020"]
    assert isinstance(gpu, dict)
    assert isinstance(cpu, dict)
    assert gpu["boost_clock_hz"] is None
    assert "boost_clock_hz" not in cpu


def test_device_trees_count_the_cores_that_the_chips_have() -> None:
    chips = {f"apple/{row['name']}": row for row in read_table("arm-socs-table/apple_chips").rows}
    for row in read_table(macbooks.TABLE).rows:
        assert chips[row["chip"]]["cores"] == row["cores"]
