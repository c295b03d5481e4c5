"""LLVM options that a target may pass on."""

import pytest
from hypothesis import given, strategies as st

from registry.domain.checks.llvm_options import compiler_option_faults
from registry.domain.errors import Fault
from ttag_rules.llvm_options import COMPILER_OPTIONS, PASSING, CompilerOption


def fault(option: str, *texts: str) -> Fault | None:
    faults = list(compiler_option_faults(option, texts, f"/{option}"))
    assert len(faults) <= 1
    return faults[0] if faults else None


@pytest.mark.parametrize("row", COMPILER_OPTIONS.values(), ids=COMPILER_OPTIONS)
def test_every_option_of_the_list_is_accepted_with_its_type_only(row: CompilerOption) -> None:
    assert row.effect.endswith(".")
    assert "LLVM 22" in row.source
    for option in row.options:
        good, bad = values(row, option)
        for text in good:
            assert fault(option, text) is None, text
            assert fault(option, f"-{text}") is None, "two dashes"
        for text in bad:
            refused = fault(option, text)
            assert refused is not None, text
            assert refused.code == "OPTION_UNSAFE"
            assert row.name in refused.expected


def values(row: CompilerOption, option: str) -> tuple[list[str], list[str]]:
    """Return texts that set an option to a value that it takes, and texts that do not."""
    name, most = row.name, row.maximum
    if row.type == "bool":
        good = [f"-{name}", *(f"-{name}={value}" for value in ("true", "false", "1", "0"))]
        typed = [f"-{name}:bool=true", f"-{name}:bool=0"]
        bad = [f"-{name}:uint=1", f"-{name}:string=true", f"-{name}=2", f"-{name}=", f"-{name}=x"]
        return (good + typed, bad) if option == "cl-opt" else (good, bad + typed)
    typed = [f"-{name}:uint={value}" for value in (0, 1, most)]
    plain = [f"-{name}={value}" for value in (0, 1, most)]
    bad = [f"-{name}", f"-{name}:int=1", f"-{name}:uint={most + 1}", f"-{name}={most + 1}"]
    bad += [f"-{name}:uint=-1", f"-{name}:uint=0x1", f"-{name}:uint=", f"-{name}:string=1"]
    return (typed, bad + plain) if option == "cl-opt" else (plain, bad + typed)


# Options that LLVM 22 has, each with the reason why a target must not pass it on.
UNSAFE = {
    "-ir-dump-directory:string=x": "writes",
    "-info-output-file:string=x": "writes",
    "-stats-json": "writes",
    "-time-passes": "prints",
    "-print-after-all": "prints",
    "-print-before=x": "prints",
    "-debug-only:string=x": "prints",
    "-debug-pass=Structure": "prints",
    "-help": "prints and ends the process",
    "-help-hidden": "prints and ends the process",
    "-version": "prints and ends the process",
    "-load=/tmp/x.so": "loads",
    "-load-pass-plugin=x": "loads",
    "-fatal-warnings": "crashes",
    "-verify-machineinstrs": "crashes",
    "-opt-bisect-limit:int=1": "prints",
    "-profile-file:string=x": "reads",
    "-sample-profile-file:string=x": "reads",
    "-pgo-test-profile-file:string=x": "reads",
    "-dot-cfg-mssa:string=x": "writes",
    "-view-dag-combine1-dags": "starts a viewer",
    "-rng-seed:int=1": "not on the list",
    "-pass-remarks-output:string=x": "writes",
    "-lto-embed-bitcode:string=x": "not on the list",
    "-debugger-tune:string=x": "not on the list",
    "-x": "not an option of LLVM",
}
MALFORMED = [
    *(
        "",
        "-",
        "--",
        "---unroll-count:uint=1",
        "unroll-count:uint=1",
        "x",
        "@file",
        "-=1",
        "-:uint=1",
    ),
    *("-unroll-count:uint=1,-load=x", "-unroll-count:uint=1 -load=x", "-unroll-count:uint=1\n"),
    *(
        "-unroll-runtime=@x",
        "-unroll-runtime,-print-after-all",
        "-Unroll-Runtime",
        "-unroll_runtime",
    ),
    *("-unroll-runtime:bool", "-unroll-count:uint=\u0661", "-unroll-runtime@true"),
]


@pytest.mark.parametrize("option", sorted(PASSING))
@pytest.mark.parametrize("text", [*UNSAFE, *MALFORMED])
def test_every_other_text_is_unsafe(option: str, text: str) -> None:
    refused = fault(option, text)
    assert refused is not None
    assert (refused.pointer, refused.code) == (f"/{option}/0", "OPTION_UNSAFE")
    assert "-unroll" in refused.expected


def test_an_option_of_another_back_end_is_unsafe() -> None:
    assert fault("llvm-options", "-force-hvx-float") is None
    assert fault("cl-opt", "-force-hvx-float") is not None


def test_a_repeated_option_is_unsafe_because_older_llvms_stop_there() -> None:
    refused = fault("llvm-options", "-unroll-count=2", "-unroll-runtime", "--unroll-count=2")
    assert refused is not None
    assert refused.pointer == "/llvm-options/2"
    assert "-unroll-count=2" in refused.message
    assert "--unroll-count=2" in refused.message


@pytest.mark.parametrize(
    ("text", "near"), [("-unroll-treshold:uint=9", "-unroll-threshold"), ("-load=x", "")]
)
def test_near_names_are_suggested(text: str, near: str) -> None:
    refused = fault("cl-opt", text)
    assert refused is not None
    assert refused.suggestions[:1] == ((near,) if near else ())


@given(st.sampled_from(sorted(PASSING)), st.from_regex(r"--?[a-z-]{1,9}([:=/,@ .][a-z=/.]{0,9})?"))
def test_accepted_text_begins_with_the_name_of_a_listed_option(option: str, text: str) -> None:
    if fault(option, text) is None:
        assert text.lstrip("-").partition("=")[0].partition(":")[0] in COMPILER_OPTIONS


def test_items_of_other_types_are_left_to_the_schema() -> None:
    assert not list(compiler_option_faults("cl-opt", [1, None, {}], ""))
