"""Tags of the registry in TVM's own table."""

import pytest

from tests.tvm.compiler import Compiler, TvmError


def test_registered_tag_is_a_target_by_name_and_by_exact_reference(builder: Compiler) -> None:
    targets = builder.call("register", references=["acme/newer@1"])["targets"]
    assert {name: target["mcpu"] for name, target in targets.items()} == {
        "acme/newer": "x86-64-v2",
        "acme/newer@1.0.0": "x86-64-v2",
    }


def test_tag_of_tvm_is_replaced_by_that_of_the_registry(builder: Compiler) -> None:
    name = "nvidia/jetson-orin-nano"
    before = builder.call("export", target=name)
    targets = builder.call("register", references=[name])["targets"]
    assert (before["host"]["mcpu"], targets[name]["host"]["mcpu"]) == ("carmel", "cortex-a78")


def test_cpu_is_registered_without_the_host_of_its_composite(builder: Compiler) -> None:
    targets = builder.call("register", references=["acme/two@1#/devices/newer"])["targets"]
    target = targets["acme/two#/devices/newer"]
    assert (target["mcpu"], target.get("host")) == ("x86-64-v2", None)


def test_facts_for_people_and_what_tvm_does_anyway_are_no_loss(builder: Compiler) -> None:
    references = ["acme/documented", "acme/vm"]
    assert len(builder.call("register", references=references)["targets"]) == 4


@pytest.mark.parametrize(
    ("reference", "lost"),
    [
        ("acme/aot", "/executor"),
        ("acme/scalar", "/flow/tir.disable_vectorize, /flow/tirx.disable_vectorize"),
        ("acme/unlinked", "/flow/link-params"),
        ("acme/two", "/devices"),
        ("acme/unreleased", "/mcpu"),
        ("acme/offload", "/devices, /devices/0/codegen, /devices/0/runtime"),
    ],
)
def test_tag_that_the_table_would_cut_is_refused(
    builder: Compiler, reference: str, lost: str
) -> None:
    message = f"TVM's table of tags ignores {lost} of {reference}@1.0.0: pass lossy"
    with pytest.raises(TvmError, match=message):
        builder.call("register", references=[reference])


def test_tag_that_the_table_cuts_is_registered_with_a_warning_if_accepted(
    builder: Compiler,
) -> None:
    registered = builder.call("register", references=["acme/aot"], lossy="warn")
    assert registered["targets"]["acme/aot"]["mcpu"] == "x86-64"
    assert registered["warnings"] == ["TVM's table of tags ignores /executor of acme/aot@1.0.0."]


def test_nothing_is_registered_if_one_is_refused(builder: Compiler) -> None:
    with pytest.raises(TvmError, match=r"^Lossy"):
        builder.call("register", references=["acme/graph", "acme/arm"])
    assert "acme/arm" not in builder.call("names")


def test_two_versions_under_one_name_are_an_error(builder: Compiler) -> None:
    with pytest.raises(TvmError, match=r"aws/c4.4xlarge cannot be both"):
        builder.call("register", references=["aws/c4.4xlarge@1.0.0", "aws/c4.4xlarge"])


def test_unknown_value_of_lossy_is_an_error(builder: Compiler) -> None:
    with pytest.raises(TvmError, match='lossy is \'ignore\': expected "error" or "warn"'):
        builder.call("register", references=["acme/newer"], lossy="ignore")


def test_nothing_to_register_is_an_error(builder: Compiler) -> None:
    with pytest.raises(TvmError, match="There is nothing to register: pass references"):
        builder.call("register", references=None)
