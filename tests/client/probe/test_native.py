"""What a machine has beyond the name of its processor, compared with what clang detects."""

import platform
import re
from pathlib import Path

import pytest

from tests.client.probe.recordings import MACHINES, description, outputs
from tests.compilers import tools
from ttag.probe import describe
from ttag.probe.collecting import collect
from ttag_rules.probe import x86, x86_programs
from ttag_rules.probe.outputs import Outputs

ENVIRONMENT = {"PATH": "/usr/bin:/bin"}
# Linux shows no flag for these, so that no output tells whether the machine has them.
HIDDEN = {*x86.UNSHOWN, "prefetchi", "cmpccxadd", "raoint", "usermsr", "uintr", "hreset", "widekl"}
# `shstk` is shown where the kernel enables it.
HIDDEN |= {
    "shstk",
    "kl",
    "movrs",
    "egpr",
    "ccmp",
    "ndd",
    "nf",
    "ppx",
    "push2pop2",
    "zu",
    "cf",
    "amx-tf32",
}
BASE = {"64bit", "cmov", "cx8", "crc32", "sse", "sse2", "fxsr", "mmx", "x87", "fpu"}


def features(*flags: str) -> tuple[set[str], set[str]]:
    """Return the features that clang's driver passes on, on and off."""
    text = tools.run(
        "sh",
        "-c",
        'exec "$@" 2>&1',
        "sh",
        tools.clang(),
        *flags,
        "-###",
        "-c",
        "-x",
        "c",
        "/dev/null",
        "-o",
        "/dev/null",
    )
    words = re.findall(r'"-target-feature" "([+-])([^"]+)"', text)
    return {name for sign, name in words if sign == "+"}, {
        name for sign, name in words if sign == "-"
    }


def implied_by(mcpu: str) -> set[str]:
    """Return what clang switches on for a processor."""
    command = [tools.clang(), "--target=x86_64-linux-gnu", f"-march={mcpu}", "-S", "-emit-llvm"]
    source = "printf 'void f(void){}' | exec \"$@\" -o - -x c -"
    text = tools.run("sh", "-c", source, "sh", *command)
    match = re.search(r'"target-features"="([^"]*)"', text)
    assert match
    return {word[1:] for word in match[1].split(",") if word.startswith("+")}


def this_machine() -> Outputs:
    if platform.machine() != "x86_64" or not Path("/proc/cpuinfo").exists():
        pytest.skip("this machine is not x86-64 with Linux")
    if tools.clang_version() != 22:
        pytest.skip("the tables are those of clang 22")
    return collect(lambda _: None, ENVIRONMENT)


def test_everything_that_clang_detects_is_stated_or_named_as_left_out() -> None:
    machine = describe(this_machine())
    mcpu = str(machine.body["mcpu"])
    mattr = machine.body.get("mattr", [])
    assert isinstance(mattr, list)
    on = {feature[1:] for feature in mattr if feature[0] == "+"}
    off = {feature[1:] for feature in mattr if feature[0] == "-"}
    has, lacks = features("-march=native")
    named = {
        word
        for facts in machine.sources.values()
        for fact in facts
        for word in re.findall(r"[\w.-]+", fact)
        if "left out" in fact
    }
    implied = implied_by(mcpu)
    assert on <= has
    assert not off & has
    assert has - implied - on - named <= HIDDEN | BASE
    assert (implied & lacks) - off <= HIDDEN | set(x86_programs.FLAGS.values())


def test_a_processor_under_an_older_name_keeps_its_features() -> None:
    cpuinfo = (MACHINES / "xeon-8480-plus" / "cpuinfo.txt").read_text()
    pretended = re.sub(r"(?m)^model\t+: .*$", "model\t\t: 167", cpuinfo)
    machine = describe(outputs(cpuinfo=pretended))
    mattr = machine.body["mattr"]
    assert machine.body["mcpu"] == "rocketlake"
    assert isinstance(mattr, list)
    assert {"+amx-tile", "+amx-int8", "+amx-bf16", "+avx512fp16", "+avx512bf16", "+avxvnni"} <= {
        *mattr
    }
    facts = [fact for each in machine.sources.values() for fact in each]
    assert any("left out of mattr, as only programs ask for it:" in fact for fact in facts)
    assert any("not implied by rocketlake" in fact for fact in facts)


@pytest.mark.parametrize("name", ["xeon-8480-plus", "epyc-9654", "ryzen-9-5950x", "raspberry-pi-4"])
def test_a_processor_under_its_own_name_has_nothing_beyond_it(name: str) -> None:
    mattr = description(name).body.get("mattr", [])
    assert isinstance(mattr, list)
    assert not [feature for feature in mattr if feature.startswith("+")]
