"""What becomes of values of inner nodes, and of settings and libraries, in a build with TVM."""

from typing import Any

import pytest

from tests.client.tvm_accounts import CARD, CPU, GPU, REFERENCE, accounts_of
from ttag.tvm.accounting.outcomes import Irrelevant, Lost, Step

SCALAR = {"tir.disable_vectorize": True}
FUSED = {"relax.FuseOps.max_depth": 4}
INNER = "/devices/a/devices/a"


def board(device: dict[str, Any], host: dict[str, Any] = CPU, **settings: Any) -> dict[str, Any]:
    """Return a composite with one device."""
    return {"kind": "composite", "devices": {"a": device}, "host": host, **settings}


def case(body: Any, pointer: str, expected: Any, **placing: Any) -> Any:
    """Return a body, where its functions are, and what is expected of one of its values."""
    return body, placing, pointer, expected


COMPILED = board({**board(CPU), "executor": "aot", "runtime": "cpp"})
SCALAR_BOARD = board({**board(CPU), "flow": SCALAR})


@pytest.mark.parametrize(
    ("body", "placing", "pointer", "step"),
    [
        case({**CPU, "executor": "aot", "runtime": "cpp"}, "/executor/kind", Step.EXECUTION_MODE),
        case({**CPU, "flow": SCALAR}, "/flow/tir.disable_vectorize", Step.SETTING),
        case({**CPU, "flow": FUSED}, "/flow/relax.FuseOps.max_depth", Step.SETTING),
        case({**CPU, "flow": {"link-params": True}}, "/flow/link-params", Step.PARAMETERS),
        case({**CPU, "flow": {"enable-byoc": ["npu"]}}, "/flow/enable-byoc", Step.CODE_GENERATOR),
        case({**CPU, "libs": ["nnapi"]}, "/libs/0", Step.LIBRARY),
        case({**CARD, "libs": ["cublas"]}, "/libs/0", Step.LIBRARY),
        case({**CARD, "runtime": "cuda-graph"}, "/runtime/kind", Step.SETTING),
        case(
            {**CARD, "host": {**CPU, "executor": "vm"}}, "/host/executor/kind", Step.EXECUTION_MODE
        ),
        case(
            {**CARD, "host": {**CPU, "flow": SCALAR}, "flow": SCALAR},
            "/host/flow/tir.disable_vectorize",
            Step.SETTING,
        ),
        case(board(GPU, {**CPU, "flow": SCALAR}), "/host/flow/tir.disable_vectorize", Step.SETTING),
        case(board(GPU, {**CPU, "executor": "vm"}), "/host/executor/kind", Step.EXECUTION_MODE),
        case(board(GPU, flow=SCALAR), "/flow/tir.disable_vectorize", Step.SETTING),
        case(
            board({**GPU, "flow": SCALAR}),
            "/devices/a/flow/tir.disable_vectorize",
            Step.SETTING,
            virtual=True,
        ),
        case(board(GPU, flow=FUSED), "/flow/relax.FuseOps.max_depth", Step.SETTING, virtual=True),
        case(board(GPU, runtime="cuda-graph"), "/runtime/kind", Step.SETTING, virtual=True),
        case(
            board({"kind": "byoc", "codegen": "npu", "devices": [CPU], "runtime": "crt"}),
            "/devices/a/runtime/kind",
            Step.CODE_GENERATOR_OPTIONS,
        ),
        case(
            board({"kind": "byoc", "codegen": "npu", "devices": [{**CPU, "flow": SCALAR}]}),
            "/devices/a/devices/0/flow/tir.disable_vectorize",
            Step.CODE_GENERATOR_OPTIONS,
        ),
    ],
)
def test_value_is_read_by_a_step(
    body: Any, placing: dict[str, Any], pointer: str, step: Step
) -> None:
    entries = accounts_of(body, **placing)
    assert entries[pointer].outcome is step
    assert [entry for entry in entries.values() if isinstance(entry.outcome, Lost)] == []


@pytest.mark.parametrize(
    ("body", "placing", "pointer", "reason"),
    [
        case({**CPU, "model": "x"}, "/model", "names a product"),
        case({**CPU, "host": {**CPU, "flow": SCALAR}}, "/host/mcpu", "the host of a CPU"),
        case({**CPU, "executor": "vm"}, "/executor/kind", "functions for TIR only", functions=()),
        case({**CPU, "flow": FUSED}, "/flow/relax.FuseOps.max_depth", "none is", functions=()),
        case(
            {**CPU, "flow": {"link-params": True}}, "/flow/link-params", "linked", functions=("f",)
        ),
        case(board(GPU), "/devices/a/arch", "nothing of the module is"),
        case(board({**GPU, "executor": "vm"}), "/devices/a/executor/kind", "is built with it"),
        case(SCALAR_BOARD, f"{INNER}/mcpu", "its own description accounts", annotated=(INNER,)),
        case(
            SCALAR_BOARD,
            "/devices/a/flow/tir.disable_vectorize",
            "its own description accounts",
            annotated=(INNER,),
        ),
        case(
            COMPILED, "/devices/a/executor/kind", "its own description accounts", annotated=(INNER,)
        ),
        case(
            board(CPU, {**CPU, "flow": SCALAR}, flow={"tirx.disable_vectorize": False}),
            "/flow/tirx.disable_vectorize",
            "state values of their own",
        ),
        case(board(GPU, libs=["cublas"]), "/libs/0", "of another kind", annotated=("/devices/a",)),
    ],
)
def test_value_makes_no_difference_for_a_reason(
    body: Any, placing: dict[str, Any], pointer: str, reason: str
) -> None:
    found = accounts_of(body, **placing)[pointer].outcome
    assert isinstance(found, Irrelevant)
    assert reason in found.reason


@pytest.mark.parametrize(
    ("body", "placing", "pointer", "reason"),
    [
        case(
            {**CPU, "executor": {"kind": "aot", "workspace-byte-alignment": 64}, "runtime": "cpp"},
            "/executor/workspace-byte-alignment",
            "plans no memory",
        ),
        case(
            {**CPU, "runtime": {"kind": "cpp", "system-lib": True}}, "/runtime/system-lib", "loaded"
        ),
        case(
            {**CPU, "flow": {"tir.usmp.enable": True}}, "/flow/tir.usmp.enable", "no such setting"
        ),
        case(
            {**CPU, "flow": {"tirx.disable_vectorise": True}},
            "/flow/tirx.disable_vectorise",
            "did you mean tirx.disable_vectorize?",
        ),
        case(
            {**CPU, "flow": {"relax.FuseOps.max_depth": True}},
            "/flow/relax.FuseOps.max_depth",
            "expects int",
        ),
        case(
            {**CPU, "flow": {"enable-byoc": ["npu"]}},
            "/flow/enable-byoc",
            "only functions for TIR are here",
            functions=(),
        ),
        case({**CPU, "runtime": "cuda-graph"}, "/runtime/kind", "nothing is compiled for cuda"),
        case(
            {**CARD, "runtime": "cuda-graph"}, "/runtime/kind", "the module has none", functions=()
        ),
        case(
            {**CARD, "host": {**CPU, "flow": SCALAR}},
            "/host/flow/tir.disable_vectorize",
            f"state it at {REFERENCE}",
        ),
        case(
            {**CARD, "host": {**CPU, "flow": {"enable-byoc": ["npu"]}}},
            "/host/flow/enable-byoc",
            f"state it at {REFERENCE}",
        ),
        case(
            {**CARD, "host": {**CPU, "libs": ["nnapi"]}},
            "/host/libs/0",
            f"for {REFERENCE}: state it",
        ),
        case(
            board({**GPU, "executor": "graph"}),
            "/devices/a/executor/kind",
            "up to 0.19",
            virtual=True,
        ),
        case(board({**GPU, "executor": "graph"}), "/devices/a/executor/kind", "annotate functions"),
        case(
            board({**GPU, "runtime": "cuda-graph"}),
            "/devices/a/runtime/kind",
            "for acme/x@1.0.0#/devices/a by itself",
            virtual=True,
        ),
        case(
            board({**GPU, "flow": FUSED}),
            "/devices/a/flow/relax.FuseOps.max_depth",
            "state it there",
            virtual=True,
        ),
        case(
            board({**GPU, "flow": {"enable-byoc": ["npu"]}}),
            "/devices/a/flow/enable-byoc",
            "do not look at virtual devices",
            virtual=True,
        ),
        case(
            board({**GPU, "flow": {"link-params": False}}),
            "/devices/a/flow/link-params",
            "state it there",
            virtual=True,
        ),
        case(
            board({**GPU, "libs": ["cublas"]}),
            "/devices/a/libs/0",
            "do not look at virtual devices",
            virtual=True,
        ),
        case(board({**CPU, "flow": SCALAR}), "/devices/a/flow/tir.disable_vectorize", "annotate"),
        case(COMPILED, "/devices/a/executor/kind", "nothing of the module is"),
        case(
            SCALAR_BOARD, "/devices/a/flow/tir.disable_vectorize", "nothing of the module is placed"
        ),
        case(
            board({"kind": "byoc", "codegen": "npu", "devices": [CPU]}),
            "/devices/a/codegen",
            "only functions for TIR are here",
            functions=(),
        ),
        case({**CPU, "libs": ["cublas"]}, "/libs/0", "from cuda, not from llvm"),
        case({**CARD, "libs": ["nnapi"]}, "/libs/0", "from llvm, not from cuda"),
        case(
            {**CPU, "libs": ["nnapi"]}, "/libs/0", "only functions for TIR are here", functions=()
        ),
        case({**CARD, "libs": ["cudnn"]}, "/libs/0", "relax.ext.cudnn is not registered"),
        case({**CARD, "libs": ["thrust"]}, "/libs/0", "thrust.sort is not registered"),
        case({**CPU, "libs": ["dnnl"]}, "/libs/0", "no patterns"),
        case({**CPU, "libs": ["mkl"]}, "/libs/0", "Relay, up to 0.19"),
        case({**CPU, "libs": ["acmeblas"]}, "/libs/0", "no such library"),
        case(board(CPU, libs=["cublas"]), "/libs/0", "no node in it that is compiled can call it"),
        case(
            {"kind": "c", "workspace-byte-alignment": 8}, "/workspace-byte-alignment", "since 0.20"
        ),
    ],
)
def test_value_that_nothing_reads_is_an_error_that_says_what_to_do(
    body: Any, placing: dict[str, Any], pointer: str, reason: str
) -> None:
    lost = {
        place: entry.outcome.reason
        for place, entry in accounts_of(body, **placing).items()
        if isinstance(entry.outcome, Lost)
    }
    assert lost.keys() == {pointer}
    assert reason in lost[pointer]
