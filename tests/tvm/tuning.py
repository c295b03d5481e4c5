"""A short run of MetaSchedule in one process. TVM's own builder and runner start others.

    PYTHON_OF_TVM tests/tvm/tuning.py FOLDER TARGET [TARGET ...]

records a few schedules of a small product of matrices for each target, which is JSON.
"""

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import tvm  # type: ignore[import-not-found, unused-ignore]
from tvm import te  # type: ignore[import-not-found, unused-ignore]
from tvm.ir.utils import derived_object  # type: ignore[import-not-found, unused-ignore]
from tvm.s_tir import meta_schedule  # type: ignore[import-not-found, unused-ignore]
from tvm.s_tir.meta_schedule.builder import (  # type: ignore[import-not-found, unused-ignore]
    BuilderResult,
    PyBuilder,
)
from tvm.s_tir.meta_schedule.runner import (  # type: ignore[import-not-found, unused-ignore]
    PyRunner,
    RunnerFuture,
    RunnerResult,
)
from tvm.target import Target  # type: ignore[import-not-found, unused-ignore]

INTRINSICS = "tvm.s_tir.tensor_intrin"
SIZE = 16  # rows and columns of the matrices
TRIALS = 2  # schedules that are measured


def tune(target: Any, folder: Path) -> int:
    """Tune a product of matrices for a target; return the number of records in the database."""
    # MetaSchedule imports intrinsics of all processors, which takes 20 s. A haswell needs none.
    sys.modules.setdefault(INTRINSICS, ModuleType(INTRINSICS))
    database = meta_schedule.tune_tir(
        mod=product(),
        target=Target(target),
        work_dir=str(folder),
        max_trials_global=TRIALS,
        num_trials_per_iter=TRIALS,
        builder=Builder(),
        runner=Runner(),
        cost_model="random",
        strategy="replay-trace",
        num_tuning_cores=1,
        seed=1,
    )
    return len(database)


def product() -> Any:
    """Return a function that multiplies two matrices."""
    left, right = (te.placeholder((SIZE, SIZE), name=name) for name in ("left", "right"))
    inner = te.reduce_axis((0, SIZE))
    result = te.compute(
        (SIZE, SIZE), lambda i, j: te.sum(left[i, inner] * right[inner, j], axis=inner)
    )
    return te.create_prim_func([left, right, result])


@derived_object
class Builder(PyBuilder):  # type: ignore[misc, unused-ignore]
    """Compiles candidates into shared libraries."""

    def build(self, build_inputs: Sequence[Any]) -> list[Any]:
        """Return the path of a library for each candidate."""
        results = []
        for each in build_inputs:
            path = Path(tempfile.mkdtemp()) / "candidate.so"
            tvm.compile(each.mod, target=each.target).export_library(str(path))
            results.append(BuilderResult(str(path), None))
        return results


@derived_object
class Runner(PyRunner):  # type: ignore[misc, unused-ignore]
    """Measures candidates one after the other."""

    def run(self, runner_inputs: Sequence[Any]) -> list[Any]:
        """Return the seconds that each candidate takes."""
        results = [RunnerResult([measured(each)], None) for each in runner_inputs]
        return [RunnerFuture(lambda: True, lambda result=each: result) for each in results]


def measured(candidate: Any) -> float:
    """Return the seconds that a library takes on empty arrays."""
    library = tvm.runtime.load_module(candidate.artifact_path)
    arrays = [
        tvm.runtime.empty(tuple(map(int, each.shape)), str(each.dtype))
        for each in candidate.args_info
    ]
    return float(library.time_evaluator("main", tvm.cpu(), number=10)(*arrays).mean)


if __name__ == "__main__":
    for text in sys.argv[2:]:
        tune(json.loads(text), Path(sys.argv[1]))
