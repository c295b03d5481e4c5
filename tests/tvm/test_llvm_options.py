"""TVM reads the forms of `cl-opt` that the registry accepts."""

from typing import Any

import pytest

from registry.domain.errors import Refused
from tests.domain.builders import target_of
from tests.tvm.compiler import Compiler, TvmError

NAME = "-unroll-threshold"
ACCEPTED = (
    "-unroll-threshold:uint=4",
    "-unroll-runtime",
    "-unroll-runtime=true",
    "-unroll-runtime=0",
    "-unroll-runtime:bool=false",
)
REJECTED = (
    *("=4", "=", ":bool", ":bool=", ":bool=2", ":int", ":int=", ":int=4x", ":int=0x10"),
    *(":string", ":float=1.0", ":int=99999999999999999999"),
)


def body(option: str) -> dict[str, Any]:
    return {
        "kind": "llvm",
        "mtriple": "aarch64-linux-gnu",  # for Arm, TVM parses the options immediately
        "mcpu": "cortex-a72",
        "cl-opt": [option],
    }


@pytest.mark.parametrize("option", ACCEPTED)
@pytest.mark.parametrize("dashes", ["", "-"])
def test_both_accept(tvm: Compiler, option: str, dashes: str) -> None:
    assert tvm.export(target_of(body(f"{dashes}{option}")))


@pytest.mark.parametrize("argument", REJECTED)
def test_both_reject(tvm: Compiler, argument: str) -> None:
    with pytest.raises(Refused):
        target_of(body(f"{NAME}{argument}"))
    with pytest.raises(TvmError):
        tvm.export(body(f"{NAME}{argument}"))
