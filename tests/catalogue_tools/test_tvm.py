"""TVM's tags, as the facts continue them."""

from catalogue_tools import tvm
from registry.services.core import shipped_facts
from tests.domain import shipped


def test_options_stay_those_of_the_last_written_version() -> None:
    written = {tag.name: tag.versions[-1].body for tag in shipped_facts.written_tags()}
    for tag in tvm.tags():
        options = {name: value for name, value in tag.body.items() if name != "hardware"}
        assert options == written[tag.name]


def test_every_tag_of_tvm_says_what_it_is() -> None:
    library = shipped.library()
    for tag in shipped_facts.every_tag():
        if any(version.mirrors for version in tag.versions):
            hardware = library.versions[tag.name][-1].resolution.target.get("hardware", {})
            assert {"vendor", "model", "sources"} <= hardware.keys(), tag.name


def test_message_names_the_vendor_once() -> None:
    messages = {tag.name: tag.message for tag in tvm.tags()}
    assert messages["arm/rasp4b"] == "What it is: Raspberry Pi 4 Model B"
    assert messages["riscv/sifive-u74"] == "What it is: SiFive U74"
