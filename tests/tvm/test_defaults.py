"""The defaults of options are those of TVM: to state one changes no code, another value does.

Where the code cannot show a default, because TVM's wheel has no generator for the kind or only its
tuner reads the option, the schema cites TVM's source. Of these, TVM's constructor states all that
are registered with the kind; `CITED` has the others.
"""

import pytest

from registry.domain.kinds.kinds import FLOW
from tests.domain.builders import KINDS
from tests.tvm.compiler import Compiler
from tests.tvm.leaves import without_type_names
from tests.tvm.test_leaves import SAMPLES, compiled
from ttag_rules.flow_names import current_name

SPIRV = "src/target/spirv/spirv_support.h, SPIRVSupport"
SPIRV_TOOLS = "src/target/spirv/spirv_utils.cc, SPIRVTools"
# The other value with which the code of an option of llvm changes.
OTHER = {
    "mcpu": "haswell",
    "fast-math": True,
    "fast-math-nnan": True,
    "fast-math-ninf": True,
    "fast-math-nsz": True,
    "fast-math-arcp": True,
    "fast-math-contract": True,
    "fast-math-reassoc": True,
    "opt-level": 0,
}
# Defaults that no generator of the wheel can show.
CITED = {
    ("llvm", "jit"): "src/target/llvm/llvm_instance.h, LLVMTargetInfo",
    **{
        ("vulkan", name): SPIRV
        for name in (
            *("supports_float16", "supports_float64", "supports_int8", "supports_int16"),
            *("supports_int64", "supports_8bit_buffer", "supports_16bit_buffer"),
            *("supports_storage_buffer_storage_class", "supports_integer_dot_product"),
            *("supports_cooperative_matrix", "supported_subgroup_operations"),
            *("max_push_constants_size", "max_uniform_buffer_range", "max_storage_buffer_range"),
            *("max_per_stage_descriptor_storage_buffer", "max_shared_memory_per_block"),
            "vulkan_api_version",
        )
    },
    ("vulkan", "max_spirv_version"): SPIRV_TOOLS,
}
DEFAULTS = [
    (kind.word, name)
    for kind in KINDS.targets.values()
    for name, option in kind.options.items()
    if option.default is not None
]
# TVM writes these into every target of the kind.
CONSTRUCTED = [item for item in DEFAULTS if item not in CITED and item[0] != "llvm"]


@pytest.mark.parametrize("name", OTHER)
def test_a_stated_default_changes_no_code_and_another_value_does(tvm: Compiler, name: str) -> None:
    own = {"kind": "llvm", **SAMPLES["llvm"]}
    default = KINDS.targets["llvm"].options[name].default
    absent, _ = compiled(tvm, own)
    assert comparable(compiled(tvm, {**own, name: default})[0]) == comparable(absent)
    assert comparable(compiled(tvm, {**own, name: OTHER[name]})[0]) != comparable(absent)


@pytest.mark.parametrize(("word", "name"), CONSTRUCTED)
def test_tvm_fills_in_the_default(tvm: Compiler, word: str, name: str) -> None:
    own = {"kind": word, **SAMPLES.get(word, {})}
    assert tvm.export(own)[name] == KINDS.targets[word].options[name].default
    assert "target_kind.cc" in KINDS.targets[word].schema["properties"][name]["x-reason"]


@pytest.mark.parametrize(("word", "name"), CITED)
def test_cited_defaults_are_not_filled_in_by_tvm(tvm: Compiler, word: str, name: str) -> None:
    own = {"kind": word, **SAMPLES.get(word, {})}
    assert name not in tvm.export(own)
    assert (word, name) in DEFAULTS
    assert CITED[word, name] in KINDS.targets[word].schema["properties"][name]["x-reason"]


def test_every_default_of_a_target_is_proven_or_cited() -> None:
    assert set(DEFAULTS) == {*CONSTRUCTED, *CITED, *(("llvm", name) for name in OTHER)}


SETTINGS = [name for name, option in KINDS[FLOW].options.items() if option.default is not None]


@pytest.mark.parametrize("name", SETTINGS)
def test_the_default_of_a_setting_changes_no_code(tvm: Compiler, name: str) -> None:
    own = {"kind": "llvm", **SAMPLES["llvm"]}
    default = KINDS[FLOW].options[name].default
    setting = current_name(name)
    results = [
        comparable(tvm.call("generate", target=own, config=config)["code"])
        for config in ({}, {setting: default}, {setting: not default})
    ]
    assert results[0] == results[1] != results[2]


def comparable(code: str) -> str:
    """Return code without the names of types, which are addresses, and TVM's note on the target."""
    lines = (line for line in code.splitlines() if '!"tvm_target"' not in line)
    return without_type_names("\n".join(lines))


@pytest.mark.parametrize("other", ["0x55c3503ecc60", "0x78db3f0", "0x1"])
def test_names_of_types_are_not_compared(other: str) -> None:
    assert comparable('!{!"0x55c3503eccb0"}') == comparable(f'!{{!"{other}"}}')


@pytest.mark.parametrize(
    ("code", "other"),
    [
        ("store float 0x3980000000000000", "store float 0x3990000000000000"),
        ('!{!"tvm-tbaa"}', '!{!"other"}'),
        ("i64 1234567890", "i64 1234567891"),
    ],
)
def test_constants_and_other_names_are_compared(code: str, other: str) -> None:
    assert comparable(code) != comparable(other)
