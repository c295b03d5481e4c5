"""Tags of phones and tablets whose variants are those of their chip."""

from catalogue_tools.devices import machines, phones
from catalogue_tools.devices.chips import chip
from catalogue_tools.facts import read_table
from catalogue_tools.tags import GeneratedTag

TAGS = {tag.name: tag for tag in phones.tags()}


def test_phone_inherits_from_its_chip() -> None:
    body = TAGS["xiaomi/mi-8"].body
    assert (body["tag"], body["model"]) == ("qcom/sdm845@1", "mi-8")
    assert TAGS["xiaomi/mi-8"].message == "Xiaomi Mi 8 with its Snapdragon 845"


def test_tablet_with_a_phones_chip_runs_android() -> None:
    tablet = TAGS["samsung/galaxy-tab-s7"]
    assert tablet.body["hardware"]["category"] == "tablet"  # type: ignore[index,call-overload]
    assert "mtriple" not in tablet.body
    assert chip("qcom/sm8250-ab").system == "android"


def test_regions_are_one_product() -> None:
    assert "lg/v30" in TAGS
    assert not [name for name in TAGS if "t-mobile" in name or "china" in name or "wifi" in name]
    assert "xiaomi/11-lite-ne-5g" in TAGS["xiaomi/11-lite-5g-ne"].aliases


def test_product_that_has_a_tag_gets_no_second() -> None:
    items: list[object] = [*machines.tags()]
    tags = [item for item in items if isinstance(item, GeneratedTag)]
    others = {tag.name: str(tag.body["hardware"]["model"]) for tag in tags}  # type: ignore[index,call-overload]
    assert not TAGS.keys() & others.keys()
    models = {model.casefold() for model in others.values()}
    assert not [
        row["tag"] for row in read_table(phones.TABLE).rows if row["model"].casefold() in models
    ]
    # the same products by another spelling
    assert not TAGS.keys() & {
        "xiaomi/poco-f1",
        "lg/g7-plus-thinq",
        "shift/shift6mq",
        "fxtec/pro1-x",
    }


def test_devices_have_no_variants_of_their_own() -> None:
    assert not [name for name in TAGS if ":" in name]


def test_product_with_two_chips_and_consoles_are_left_out() -> None:
    assert not [name for name in TAGS if "s20-fe" in name or "odin" in name or "retroid" in name]


def test_there_are_as_many_as_the_pages_allow() -> None:
    assert len(TAGS) == 122
    categories = [row["category"] for row in read_table(phones.TABLE).rows]
    assert categories.count("tablet") == 9
