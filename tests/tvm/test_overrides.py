"""If TVM and the registry both accept an override, the results are equal."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from registry.domain.errors import Refused
from tests.domain.builders import Library, refusal, target_of
from tests.profiles import examples
from tests.tvm.compiler import Compiler, TvmError
from tests.tvm.exported import as_llvm_reads, exported, without_derived
from tests.tvm.overrides import (
    MIRRORING,
    STRICTER,
    WIDER,
    Stricter,
    Wider,
    bodies,
    unexplained,
    wider,
)

EXAMPLES = examples(7.5)


@pytest.fixture(scope="module")
def names(tvm: Compiler) -> list[str]:
    """The names of TVM's own tags."""
    result: list[str] = tvm.call("names")
    return result


@pytest.fixture(scope="module")
def library(names: list[str]) -> Library:
    """The versions that mirror TVM's tags, under TVM's names."""
    library = Library()
    for name in names:
        library.put(name, MIRRORING[name])
    return library


def attempt(action: Callable[[], Any]) -> Any:
    """Return the result of an action, or its error."""
    try:
        return action()
    except (TvmError, Refused) as refusal:
        return refusal


def test_both_agree_or_the_difference_is_a_known_class(
    tvm: Compiler, library: Library, names: list[str]
) -> None:
    compared: list[dict[str, Any]] = []

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(bodies(names))
    def law(body: dict[str, Any]) -> None:
        theirs = attempt(lambda: tvm.export(body))
        ours = attempt(lambda: exported(body, library)["target"])
        match theirs, ours:
            case TvmError(), Refused():
                pass
            case _, Refused():
                assert not unexplained(ours.faults)
            case TvmError(), _:
                assert wider(body), theirs
                assert tvm.export(ours)
            case _:
                compared.append(body)
                assert without_derived(tvm.export(ours)) == without_derived(as_llvm_reads(theirs))

    law()
    assert len(compared) >= EXAMPLES // 4


@pytest.mark.parametrize("difference", STRICTER, ids=lambda item: item.name)
def test_only_tvm_accepts(tvm: Compiler, library: Library, difference: Stricter) -> None:
    assert tvm.export(difference.example)
    faults = refusal(lambda: target_of(difference.example, library)).faults
    assert faults
    assert all(map(difference.covers, faults))


@pytest.mark.parametrize("difference", WIDER, ids=lambda item: item.name)
def test_only_the_registry_accepts(tvm: Compiler, library: Library, difference: Wider) -> None:
    with pytest.raises(TvmError):
        tvm.export(difference.example)
    ours = exported(difference.example, library)["target"]
    assert tvm.export(ours)
