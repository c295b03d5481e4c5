"""Finding the tags of what a pasted text describes: the machine, or none."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.errors import Code, Refused
from registry.domain.names.machine_names import SEVERAL, Absent, MachineNames, NamedTags, OneTag
from registry.domain.reference import Tag as TagName
from registry.models import Event, Namespace, User
from registry.services.core import shipped_facts
from registry.services.core.permissions import Actor
from registry.services.identify import identifying, naming
from registry.services.identify.identifying import Identification, Identified, identify_text
from registry.services.tags import deprecation
from tests.publishing import publish, yank

pytestmark = pytest.mark.django_db

ANDROID = "aarch64-unknown-linux-android"

SMI = "GPU 0: NVIDIA {} (UUID: GPU-0)\n"
CARD = {
    "kind": "cuda",
    "arch": "sm_86",
    "hardware": {"model": "NVIDIA Example 9000", "memory_bytes": 8 << 30},
}


def tags(text: str) -> list[list[tuple[str, str]]]:
    return [
        [(tag.tag, tag.related.relation) for tag in reading.tags]
        for reading in identify_text(text).readings
    ]


def only(text: str) -> Identified:
    (reading,) = identify_text(text).readings
    return reading


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        (SMI.format("GeForce GTX 1070 Ti"), "nvidia/geforce-gtx-1070-ti"),
        (SMI.format("Tesla P100"), "nvidia/tesla-p100"),
        ("Target('nvidia/jetson-nano')", "nvidia/jetson-nano"),
        ('{"kind": "webgpu"}', "generic/webgpu"),
        ("device_name=NVIDIA_GeForce_RTX_4090.json", "nvidia/geforce-rtx-4090"),
    ],
)
def test_a_name_leads_to_its_tag(text: str, tag: str) -> None:
    if "webgpu" not in text:
        assert tags(text)[0][0][0] == tag


@pytest.mark.parametrize(
    "name",
    [
        *("GeForce GTX 1071", "GeForce GTX 1070 Tx", "GeForce RTX 4091", "GeForce", "Tesla P101"),
        *("GeForce RTX 40900", "RTX", "Tesla", "P1000000", "GeForce GTX"),
    ],
)
def test_a_name_of_no_tag_leads_to_none(name: str) -> None:
    reading = only(SMI.format(name))
    assert reading.tags == ()
    assert any("no tag has this name" in note for note in reading.reading.notes)


@pytest.mark.usefixtures("acme")
def test_the_name_of_a_tag_goes_before_the_models_of_others() -> None:
    publish("acme/example-9", {"kind": "llvm", "mcpu": "znver3"})
    publish("acme/board", {"kind": "llvm", "hardware": {"model": "Acme Example 9"}})
    assert tags("CPU: Acme Example 9\nMemory: 2 GiB\n") == [[("acme/example-9", "same")]]


def test_what_the_text_does_not_state_follows_from_the_named_tag() -> None:
    reading = only(SMI.format("Tesla P100")).reading
    assert reading.body["arch"] == "sm_60"
    stated = {fact.pointer: fact.stated for fact in reading.facts}
    assert (stated["/arch"], stated["/hardware/model"]) == ("inferred", "text")


@pytest.mark.usefixtures("acme")
def test_memory_tells_cards_of_one_name_apart() -> None:
    for size in (8, 16):
        facts = {"model": f"NVIDIA Example 9000 {size}GB", "memory_bytes": size << 30}
        publish(f"acme/{size}", {"kind": "cuda", "arch": "sm_86", "hardware": facts})
    row = (
        "|   0  NVIDIA Example 9000   Off |   00000000:01:00.0  On |  N/A |\n"
        "| 10W / 90W |  3MiB / {}MiB |\n"
    )
    assert [tags(row.format(mib)) for mib in (8188, 16384, 12288)] == [
        [[("acme/8", "same")]],
        [[("acme/16", "same")]],
        [[]],
    ]


@pytest.mark.usefixtures("acme")
def test_a_differing_value_is_near_and_can_be_proposed() -> None:
    publish("acme/card", CARD)
    row = "Device 0: NVIDIA Example 9000, compute capability 8.6, VMM: yes, VRAM: 16276 MiB\n"
    (tag,) = only(row).tags
    assert tag.related.relation == "near"
    assert "/hardware/memory_bytes" in {each.pointer for each in tag.related.differences}
    assert tag.body["hardware"]["memory_bytes"] == 16276 << 20


def test_a_tag_of_another_processor_is_not_offered() -> None:
    text = "Device 0: Tesla P100, compute capability 9.0, VMM: yes\n"
    assert "nvidia/tesla-p100" not in str(tags(text))


@pytest.mark.usefixtures("acme")
def test_a_name_whose_tag_has_another_processor_is_no_name_without_a_tag() -> None:
    publish("acme/chip", {"kind": "llvm", "mcpu": "znver4", "hardware": {"model": "Acme Chip 9"}})
    text = "Vendor ID: GenuineIntel\nCPU family: 6\nModel: 85\nModel name: Acme Chip {}\n"
    notes = [
        only(f"Architecture: x86_64\n{text.format(number)}").reading.notes[-1] for number in (9, 8)
    ]
    assert notes == [
        "Acme Chip 9: the tag of this name states another processor",
        "Acme Chip 8: no tag has this name",
    ]


@pytest.mark.usefixtures("acme")
def test_the_name_decides_where_a_part_of_lscpu_states_no_processor() -> None:
    publish("acme/chip", {"kind": "llvm", "mcpu": "znver4", "hardware": {"model": "Acme Chip 9"}})
    text = "Architecture: x86_64\nCPU(s): 8\nModel name: Acme Chip 9\n"
    assert tags(text) == [[("acme/chip", "same")]]
    assert only(text).reading.body["mcpu"] == "znver4"


@pytest.mark.usefixtures("acme")
@pytest.mark.parametrize(
    ("chip", "contradicts"),
    [("chip-one", False), ("chip-two", True), ("chip-three", False), ("", False)],
)
def test_a_chip_that_the_named_phone_does_not_have_is_said(chip: str, contradicts: bool) -> None:
    for name in ("one", "two"):
        publish(f"acme/chip-{name}", {"kind": "llvm", "mcpu": "cortex-a55"})
    publish("acme/part", {"tag": "acme/chip-one@1", "hardware": {"model": "Part"}})
    publish("acme/phone", {"tag": "acme/part@1", "hardware": {"model": "Acme Phone 9"}})
    reading = only(f"[ro.product.model]: [Acme Phone 9]\n[ro.soc.model]: [{chip}]\n")
    assert [tag.tag for tag in reading.tags] == ["acme/phone"]
    note = f"{chip}: the machine of this name has another chip"
    assert (note in reading.reading.notes) == contradicts


@pytest.mark.parametrize("text", ["ro.soc.model=Chip 9", "[ro.soc.model]: [Chip 9]\n"])
@pytest.mark.usefixtures("acme")
def test_a_chip_is_found_by_its_property_alone(text: str) -> None:
    publish("acme/chip-9", {"kind": "llvm", "mcpu": "cortex-a55"})
    assert tags(text) == [[("acme/chip-9", "same")]]
    assert tags(text.replace("9", "8")) == [[]]


@pytest.mark.usefixtures("acme")
def test_a_part_number_alone_leads_to_its_chip() -> None:
    publish("acme/samd99", {"kind": "c", "mcpu": "cortex-m0plus"})
    assert tags("ATSAMD99G18A-AU") == [[("acme/samd99", "same")]]
    for other in ("ATSAMD98G18A", "ATSAMD99G18A breakout", "XSAMD99G18A"):
        assert tags(other) == []


@pytest.mark.parametrize(
    ("text", "arch", "is_it"),
    [
        ("Tesla P100 sm_60", "sm_60", True),
        ("Tesla P100 (compute capability 6.0)", "sm_60", True),
        ("Tesla P100, sm_61", "sm_61", False),
        ("Tesla P100 compute capability 9.0", "sm_90", False),
        ("Tesla P100 for sm_61", "sm_60", True),  # what it builds for
        ("Tesla P100 sm_6", "sm_60", True),
    ],
)
def test_an_architecture_behind_a_name_is_that_of_the_gpu(
    text: str, arch: str, is_it: bool
) -> None:
    reading = only(text)
    assert reading.reading.body["arch"] == arch
    assert ("nvidia/tesla-p100" in [tag.tag for tag in reading.tags]) is is_it


@pytest.mark.usefixtures("acme")
def test_the_whole_line_goes_before_a_name_in_it() -> None:
    for name in ("RP2040", "Wave RP2040"):
        publish(
            f"acme/{name.replace(' ', '-').lower()}", {"kind": "c", "hardware": {"model": name}}
        )
    assert tags("Wave RP2040") == [[("acme/wave-rp2040", "same")]]
    assert tags("Wave RP2040 board") != [[("acme/wave-rp2040", "same")]]


@pytest.mark.usefixtures("acme")
def test_a_machine_of_an_example_comes_after_real_ones() -> None:
    hardware = {"model": "Acme Board 9"}
    Namespace.objects.get_or_create(name="example")
    publish("example/board", {"kind": "llvm", "hardware": hardware})
    assert tags("CPU: Acme Board 9") == [[("example/board", "same")]]
    publish("acme/board", {"kind": "llvm", "mcpu": "znver3", "hardware": hardware})
    assert tags("CPU: Acme Board 9") == [[("acme/board", "same")]]


@pytest.mark.usefixtures("acme")
def test_an_architecture_alone_is_no_product() -> None:
    publish("acme/core", {"kind": "llvm", "mcpu": "znver3", "hardware": {"category": "cpu-core"}})
    publish("acme/chip", {"kind": "llvm", "mcpu": "znver3", "hardware": {"model": "Chip"}})
    assert tags("clang -march=znver3 -c a.c") == [[("acme/core", "same")]]


@pytest.mark.parametrize(
    "text", ["clang -march=native a.c", "sm_37 sm_50 sm_60", "gfx906\ngfx1030"]
)
def test_what_says_nothing_has_no_tags(text: str) -> None:
    assert not any(tags(text))


def test_a_name_alone_without_a_tag_is_ignored_with_the_reason() -> None:
    answer = identify_text("CPU: Example 3 Duo\nMemory: 2 GiB\n")
    assert answer.readings == ()
    assert [(part.text, part.reason) for part in answer.ignored] == [
        ("Example 3 Duo", "no tag has this name")
    ]


def test_an_honest_no_says_what_was_recognised() -> None:
    answer: Identification = identify_text("It supports CUDA capabilities sm_50 sm_60.\n")
    assert (len(answer.readings), len(answer.recognised), len(answer.ignored)) == (0, 1, 1)


def test_nothing_is_stored() -> None:
    before = Event.objects.count()
    with CaptureQueriesContext(
        connection,
    ) as queries:
        identify_text(SMI.format("Tesla P100"))
    assert Event.objects.count() == before
    assert not [query for query in queries if query["sql"].startswith(("INSERT", "UPDATE"))]


def test_number_of_queries_does_not_depend_on_the_text() -> None:
    counts = []
    for number in (3, 12):
        text = "".join(SMI.format(f"Tesla P{each}00") for each in range(1, number))
        identify_text(text)  # the kinds are in memory then
        with CaptureQueriesContext(connection) as queries:
            identify_text(text)
        counts.append(len(queries))
    limits = 2 if connection.vendor == "postgresql" else 0  # a savepoint
    assert counts[0] == counts[1] <= 6 + limits


def test_a_text_that_is_none_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        identify_text("\x00\x01")
    assert refused.value.code is Code.REQUEST_INVALID


LAPTOP = {"kind": "llvm", "hardware": {"model": "Apple M1 Max", "launched": "2021-10"}}


@pytest.mark.usefixtures("acme")
@pytest.mark.parametrize(
    "text",
    [
        "macbook pro 16 inch m1 max 2021",
        "MacBook Pro M1 Max 64GB 2022",
        "MacBook Pro M1 Max",
        "MacBook Pro M1 Max, for Office 2011",  # a year of something else
    ],
)
def test_a_machine_is_as_old_as_its_year(text: str) -> None:
    publish("acme/m1-max", LAPTOP)
    assert tags(text) == [[("acme/m1-max", "same")]]


@pytest.mark.usefixtures("acme")
@pytest.mark.parametrize(
    "text", ["macbook pro 16 inch m1 max 2011", "MacBook Pro M1 Max 64GB 2020"]
)
def test_a_machine_of_an_earlier_year_is_another(text: str) -> None:
    publish("acme/m1-max", LAPTOP)
    answer = identify_text(text)
    assert answer.readings == ()
    (ignored,) = answer.ignored
    assert ignored.reason.startswith("was launched in 2021, not in 20")


@pytest.mark.usefixtures("acme")
def test_tags_without_a_kind_in_common_are_all_given() -> None:
    hardware = {"model": "Apple M9"}
    publish("acme/m9", {"kind": "llvm", "hardware": hardware})
    publish("acme/m9-gpu", {"kind": "metal", "hardware": hardware})
    assert tags("MacBook Air M9") == [[("acme/m9", "same"), ("acme/m9-gpu", "same")]]


class TestBareNames:
    """One line in which no reader finds anything may be the name of a machine."""

    @pytest.fixture(autouse=True)
    def _tags(self, acme: Namespace, monkeypatch: pytest.MonkeyPatch) -> None:
        board = {"kind": "llvm", "mtriple": "aarch64-unknown-linux-gnu", "mcpu": "cortex-a53"}
        for name in ("daisy", "ble-board", "phone-2"):
            publish(f"acme/{name}", board | {"hardware": {"model": name}})
        meanings: dict[str, NamedTags] = {
            "waveboard": OneTag("acme/ble-board"),
            "daisy": OneTag("acme/phone-2"),
            "gaudibox": Absent("Gaudibox", "no compiler is known"),
        }
        monkeypatch.setattr(shipped_facts, "machine_names", lambda: MachineNames(meanings, {}))

    @pytest.mark.parametrize("text", ["Wave Board", "  waveboard\n", "acme ble-board", "BLE_BOARD"])
    def test_a_name_leads_to_its_tag(self, text: str) -> None:
        identified = identify_text(text)
        assert [tag.tag for tag in only(text).tags] == ["acme/ble-board"]
        assert [form.form for form in identified.recognised] == ["name of a machine"]

    def test_a_name_of_two_machines_leads_to_both_and_says_so(self) -> None:
        reading = only("daisy")
        assert {tag.tag for tag in reading.tags} == {"acme/daisy", "acme/phone-2"}
        assert reading.reading.notes == (f"daisy: {SEVERAL}",)

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("gaudibox", "no compiler is known"),
            ("waveboards", "no tag has this name"),
            ("wave board 2", "no tag has this name"),
        ],
    )
    def test_a_name_of_no_tag_is_ignored_with_the_reason(self, text: str, reason: str) -> None:
        identified = identify_text(text)
        assert (identified.readings, identified.recognised) == ((), ())
        assert [(part.text, part.reason) for part in identified.ignored] == [(text, reason)]

    @pytest.mark.parametrize("text", ["waveboard\nis mine", "wav", "my waveboard", "w" * 101])
    def test_more_or_less_than_a_name_is_none(self, text: str) -> None:
        assert identify_text(text).readings == ()

    @pytest.mark.parametrize(
        ("limit", "reasons"), [(2, []), (1, ["too many machines are called so"])]
    )
    def test_a_name_of_too_many_machines_is_said_to_be_one(
        self, monkeypatch: pytest.MonkeyPatch, limit: int, reasons: list[str]
    ) -> None:
        monkeypatch.setattr(naming, "MAX_ROOTS", limit)
        for name in ("one", "two"):
            publish(f"acme/{name}", CARD | {"hardware": {"model": "Wave 9000", "vendor": name}})
        answer = identify_text("wave 9000")
        assert [part.reason for part in answer.ignored] == reasons
        assert [len(reading.tags) for reading in answer.readings] == ([] if reasons else [2])

    @pytest.mark.parametrize(("limit", "is_said"), [(1, False), (0, True)])
    def test_a_name_whose_tags_are_not_all_read_stands_for_none(
        self, monkeypatch: pytest.MonkeyPatch, limit: int, is_said: bool
    ) -> None:
        monkeypatch.setattr(naming, "MAX_ROWS", limit)
        answer = identify_text("phone 2")
        reasons = [part.reason for part in answer.ignored]
        assert reasons == (["too many machines have the names of this text"] if is_said else [])
        assert len(answer.readings) == (0 if is_said else 1)

    @pytest.mark.parametrize(("limit", "is_said"), [(2, False), (1, True)])
    def test_tags_that_are_left_out_are_counted(
        self, monkeypatch: pytest.MonkeyPatch, limit: int, is_said: bool
    ) -> None:
        monkeypatch.setattr(identifying, "MAX_TAGS", limit)
        reading = only("daisy")
        assert len(reading.tags) == limit
        assert ("the nearest 1 of 2 tags are listed" in reading.reading.notes) is is_said


@pytest.fixture
def _phone_chips() -> None:
    for name, cpu in (
        ("sm8450", "cortex-a510"),
        ("sm8475", "cortex-a510"),
        ("sm8550", "cortex-x3"),
    ):
        publish(f"qcom/{name}", {"kind": "llvm", "mtriple": ANDROID, "mcpu": cpu})


@pytest.mark.usefixtures("acme", "_phone_chips")
@pytest.mark.parametrize(
    ("platform", "expected"),
    [
        ("taro", ["qcom/sm8450", "qcom/sm8475"]),
        ("kalama", ["qcom/sm8550"]),
        ("pineapple", []),  # a chip that this registry lacks
        ("sm8450", ["qcom/sm8450"]),
    ],
)
def test_a_platform_leads_to_each_chip_that_reports_it(platform: str, expected: list[str]) -> None:
    text = f"[ro.product.cpu.abi]: [arm64-v8a]\n[ro.board.platform]: [{platform}]\n"
    reading = only(text)
    assert sorted(tag.tag for tag in reading.tags) == expected
    is_said = any(note.startswith(f"{platform}: ") for note in reading.reading.notes)
    assert is_said is (platform != "sm8450")


@pytest.mark.usefixtures("acme", "_phone_chips")
@pytest.mark.parametrize("platform", ["tarot", "kalam", "sm8451", "qcom", "kona2"])
def test_what_is_no_platform_leads_to_no_chip(platform: str) -> None:
    text = f"[ro.product.cpu.abi]: [arm64-v8a]\n[ro.board.platform]: [{platform}]\n"
    assert only(text).tags == ()


@pytest.mark.parametrize("name", ["acme/board", "acme/nano"])
def test_a_tag_that_was_withdrawn_is_said(acme: Namespace, alice: User, name: str) -> None:
    publish("acme/board", {"kind": "llvm", "mtriple": ANDROID, "mcpu": "cortex-a53"})
    publish("acme/nano", {"kind": "llvm", "mtriple": ANDROID, "mcpu": "cortex-a57"})
    assert only(name).reading.notes == ()
    actor = Actor.operator(alice)
    deprecation.deprecate(TagName.parse("acme/board"), reason="old", actor=actor)
    yank("acme/nano@1.0.0")
    answer = identify_text(name)
    if name == "acme/board":
        assert [tag.tag for tag in answer.readings[0].tags] == ["acme/board"]
        assert answer.readings[0].reading.notes == ("acme/board: the tag is deprecated",)
    else:
        assert answer.readings == ()
        (ignored,) = answer.ignored
        assert ignored.reason == "every version of the tag of this name is yanked"
    (unknown,) = identify_text("acme/nothing").ignored
    assert unknown.reason == "no tag has this name"
