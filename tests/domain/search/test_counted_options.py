"""The options that are counted of a target."""

import pytest

from registry.domain.search.counted_options import counted_values, kinds_of_nodes

Values = list[tuple[str, str]]


@pytest.mark.parametrize(
    ("kind", "values", "counted"),
    [
        pytest.param("llvm", [("/mcpu", "znver4")], {"llvm/mcpu"}, id="root"),
        pytest.param(
            "cuda",
            [("/host/kind", "llvm"), ("/host/mcpu", "znver4")],
            {"llvm/host/kind", "llvm/host/mcpu"},
            id="host",
        ),
        pytest.param(
            "c",
            [("/executor/kind", "aot"), ("/executor/unpacked-api", "true")],
            {"aot/executor/kind", "aot/executor/unpacked-api"},
            id="executor",
        ),
        pytest.param("c", [("/flow/link-params", "true")], {"/flow/link-params"}, id="settings"),
        pytest.param("", [("/hardware/cores", "4")], {"/hardware/cores"}, id="facts of a mixin"),
        pytest.param("", [("/mcpu", "znver4")], set(), id="root of a mixin"),
        pytest.param("cuda", [("/host/mcpu", "znver4")], set(), id="host without a kind"),
        pytest.param("llvm", [("/mtriple/os", "linux")], set(), id="part of a triple"),
        pytest.param("composite", [("/devices/0/mcpu", "znver4")], set(), id="nested device"),
        pytest.param("c", [("/hardware/peak_ops_per_s/fp32", "1")], set(), id="object of facts"),
        pytest.param("c", [("/devices/hardware/kind", "c")], set(), id="device called hardware"),
    ],
)
def test_options_are_named_by_kind_and_pointer(
    kind: str, values: Values, counted: set[str]
) -> None:
    kinds = kinds_of_nodes(kind, values)
    assert {option for option, _ in counted_values(kinds, values)} == counted


def test_every_item_of_a_list_is_a_value() -> None:
    values = [("/keys", "cuda"), ("/keys", "gpu")]
    assert list(counted_values({"": "cuda"}, values)) == [
        ("cuda/keys", "cuda"),
        ("cuda/keys", "gpu"),
    ]
