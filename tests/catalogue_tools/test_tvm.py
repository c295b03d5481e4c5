"""TVM's tags, as the facts continue them."""

from catalogue_tools import tvm
from catalogue_tools.devices.bodies import cpu_body
from catalogue_tools.devices.chips import chip as chip_by_tag
from catalogue_tools.tags import GeneratedTag
from registry.domain.document import Json
from registry.services.core import shipped_facts
from tests.domain import shipped
from ttag_rules.triple_normalization import normalize

RASPBERRY_PIS = {"arm/rasp3b", "arm/rasp4b", "arm/rasp4b64", "raspberry-pi/4b-aarch64"}


def options(tag: GeneratedTag) -> dict[str, Json]:
    return {name: value for name, value in tag.body.items() if name != "hardware"}


def test_options_stay_those_of_the_last_written_version_unless_a_dump_contradicts_them() -> None:
    written = {tag.name: tag.versions[-1].body for tag in shipped_facts.written_tags()}
    changed = {tag.name for tag in tvm.tags() if options(tag) != written[tag.name]}
    assert changed == {tag.name for tag in tvm.tags() if tag.correction}
    assert changed == RASPBERRY_PIS | {"arm/thunderx"}


def test_corrected_tag_differs_in_its_features_only_and_says_why() -> None:
    tags = {tag.name: tag for tag in tvm.tags()}
    written = {tag.name: tag.versions[-1].body for tag in shipped_facts.written_tags()}
    old: dict[str, Json] = dict(written["arm/thunderx"])  # type: ignore[arg-type]
    assert old.pop("mattr") == ["+neon", "+crc", "+lse"]
    assert options(tags["arm/thunderx"]) == old
    assert tags["arm/thunderx"].correction == "Linux reports no lse on this chip"
    assert "sbc-bench" in tags["arm/thunderx"].sources[-1]


def test_names_of_one_board_build_alike() -> None:
    tags = {tag.name: tag.body for tag in tvm.tags()}
    chip = cpu_body(chip_by_tag("broadcom/bcm2711"))
    same = ("mcpu", "mattr", "num-cores")
    for body in (tags["arm/rasp4b64"], tags["raspberry-pi/4b-aarch64"]):
        assert [body[name] for name in same] == [chip[name] for name in same]
        assert normalize(str(body["mtriple"])) == chip["mtriple"]


def test_host_is_corrected_with_its_device() -> None:
    (board,) = (tag.body for tag in tvm.tags() if tag.name == "raspberry-pi/4b-aarch64")
    host = board["host"]
    assert isinstance(host, dict)
    assert host == {name: board[name] for name in host}
    assert host["mattr"] == ["-aes", "-sha2"]


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
