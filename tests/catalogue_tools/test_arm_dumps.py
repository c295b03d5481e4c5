"""Dumps say which features machines have, as far as their kernels can."""

from dataclasses import replace

import pytest

from catalogue_tools.arm_dumps import (
    Dump,
    Evidence,
    Listing,
    conflicts,
    corrected_mattr,
    differences,
    dumped_tags,
    evidence,
    reasons,
    statements_of,
    urls_of,
)
from catalogue_tools.arm_features import Release, features, implied_by_name
from catalogue_tools.facts import read_table, replaced_tables

V8 = "fp asimd evtstrm aes pmull sha1 sha2 crc32"


def dump(flags: str, kernel: Release = (), bits: int = 64) -> Dump:
    return Dump(frozenset(flags.split()), bits, kernel, "https://example.org/dump")


@pytest.mark.parametrize(
    ("one", "feature", "said"),
    [
        (dump(V8), "aes", True),
        (dump("fp asimd crc32"), "aes", False),
        (dump("fp asimd aes"), "aes", False),  # AES without PMULL is not LLVM's feature
        (dump(V8, (5, 10)), "lse", False),
        (dump(V8, (4, 1)), "lse", None),  # older than the flag
        (dump(V8), "lse", None),  # of unknown age
        (dump(f"{V8} atomics"), "lse", True),
        (dump(f"{V8} atomics", (4, 1)), "lse", True),  # backported
        (dump(f"{V8} asimddp"), "lse", False),  # so new that it would report it
        (dump("half thumb neon", (4, 9), 32), "aes", False),
        (dump("half thumb neon", (3, 10), 32), "aes", None),
        (dump("half thumb neon", (), 32), "aes", None),
        (dump("half thumb neon", (6, 6), 32), "sve", None),  # 32-bit kernels never report it
        (dump("half thumb neon", (6, 6), 32), "neon", True),
    ],
)
def test_dump_says_what_its_kernel_can(one: Dump, feature: str, said: bool | None) -> None:
    assert one.reports(features()[feature]) is said


def test_chip_without_dumps_has_no_evidence() -> None:
    assert statements_of("nxp/imx93") == ()
    assert not evidence("nxp/imx93").judged
    assert not evidence("nxp/imx93").always
    assert differences("nxp/imx93", implied_by_name("cortex-a55")) == (frozenset(), frozenset())


@pytest.mark.parametrize(
    ("tag", "mcpu", "absent", "added"),
    [
        ("amlogic/gxbb", "cortex-a53", {"aes", "sha2"}, set()),
        ("allwinner/a64", "cortex-a53", set(), set()),
        ("fujitsu/a64fx", "a64fx", {"aes"}, set()),
        ("qcom/sm8750", "oryon-1", set(), {"fullfp16", "fp16fml"}),
        ("gcp/axion", "neoverse-v2", set(), {"aes", "sha2", "sha3"}),
        ("nvidia/grace", "grace", set(), set()),  # LLVM's name implies cryptography
        ("broadcom/bcm2712", "cortex-a76", set(), set()),  # without ssbs, which is harmless
    ],
)
def test_tags_state_how_chips_differ_from_their_cores(
    tag: str, mcpu: str, absent: set[str], added: set[str]
) -> None:
    off, on = differences(tag, implied_by_name(mcpu))
    assert {*off} == absent
    assert {*on} == added


def test_nothing_is_added_that_a_machine_does_not_report() -> None:
    for tag in dumped_tags():
        known = evidence(tag)
        assert known.always <= known.reported
        assert not known.added & known.denied
        assert not known.added & {"ccpp", "lse2", "sm4", "sve-aes"}  # reported, and not asked for


def evidence_of(flags: list[str], absent: list[str] | None = None) -> Evidence:
    """Return what a chip's dumps say, and a table of chips that lists absent flags."""
    dumps, listed = read_table("cpu-dumps/arm"), read_table("arm-socs-table/socs")
    rows = [
        {"tag": "a/chip", "source": 0, "path": str(at), "flags": text}
        for at, text in enumerate(flags)
    ]
    row = () if absent is None else ({"tag": "a/chip", "absent": absent},)
    changed = (replace(dumps, rows=tuple(rows)), replace(listed, rows=row))
    with replaced_tables({table.name: table for table in changed}):
        return evidence("a/chip")


@pytest.mark.parametrize(
    ("flags", "absent", "added"),
    [
        ([V8, f"{V8} atomics"], None, {"aes", "sha2"}),
        ([V8, f"{V8} atomics"], [], {"aes", "sha2"}),
        ([V8, "fp asimd"], None, set()),  # one machine has it, one not
        ([V8], ["aes"], {"sha2"}),  # the table of chips denies it
        ([f"{V8} asimdhp", V8], None, {"aes", "sha2"}),  # the second cannot say
        ([], [], set()),  # a table without a dump proves too little
    ],
)
def test_only_what_every_machine_reports_is_added(
    flags: list[str], absent: list[str] | None, added: set[str]
) -> None:
    assert evidence_of(flags, absent).added == added


def test_feature_that_only_some_machines_report_is_off_and_listed() -> None:
    (conflict,) = conflicts("qcom/sm8450", implied_by_name("cortex-a510"))
    assert list(conflict.values.values()) == [
        "no sve2 reported",  # by the table of chips
        "sve reported",
        "sve, sve2, sve-bitperm reported",
    ]
    assert conflict.choice == "-sve,-sve2,-sve-bitperm: code without runs on all machines"
    assert not list(conflicts("qcom/sm8450", frozenset({"aes", "dotprod"})))
    assert not list(conflicts("aws/graviton3", implied_by_name("neoverse-v1")))  # pauth: harmless


@pytest.mark.parametrize(
    ("tag", "mcpu", "mattr", "architecture", "corrected"),
    [
        ("broadcom/bcm2711", "cortex-a72", ["+neon"], "aarch64", ["-aes", "-sha2"]),
        ("broadcom/bcm2711", "cortex-a72", ["+neon"], "arm", ["+neon", "-aes", "-sha2"]),
        ("marvell/thunderx-cn8890", "thunderxt88", ["+neon", "+crc", "+lse"], "aarch64", []),
        ("rockchip/rk3399", "cortex-a72", ["+neon"], "aarch64", ["+neon"]),  # nothing is wrong
        ("nxp/imx93", "cortex-a55", ["+neon"], "aarch64", ["+neon"]),  # nothing is known
    ],
)
def test_only_options_that_dumps_contradict_change(
    tag: str, mcpu: str, mattr: list[str], architecture: str, corrected: list[str]
) -> None:
    assert corrected_mattr(tag, mcpu, mattr, architecture) == corrected


@pytest.mark.parametrize(
    ("tag", "names", "sentences"),
    [
        (
            "amlogic/gxbb",
            {"aes", "sha2"},
            ["Linux does not report AES and SHA-2 on machines with this chip."],
        ),
        ("gcp/axion", {"sha3"}, ["Linux reports SHA-3 on every machine with this chip."]),
        ("qcom/sdm845", {"rcpc"}, ["Not every machine with this chip has rcpc."]),
        ("gcp/axion", set(), []),
        ("no/chip", set(), []),
    ],
)
def test_reasons_name_the_features(tag: str, names: set[str], sentences: list[str]) -> None:
    assert [*reasons(tag, names)] == sentences


def test_table_of_chips_says_something_of_its_flags_only() -> None:
    listing = Listing(frozenset({"sve2", "asimddp"}), "https://example.org/table")
    said = {name: listing.reports(feature) for name, feature in features().items()}
    assert {name for name, answer in said.items() if answer is False} == {"sve2", "dotprod"}
    assert {name for name, answer in said.items() if answer} == {
        *("aes", "sha2", "rcpc", "i8mm", "bf16")
    }
    assert said["sve"] is None


def test_deciding_dumps_are_cited() -> None:
    (url,) = urls_of("fujitsu/a64fx", {"aes"})
    assert url.startswith("https://github.com/archspec/archspec-json/blob/")
