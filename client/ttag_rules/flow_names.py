"""The names of pass settings in TVM 0.27, and what they were called in earlier releases.

TVM 0.25 split the namespace `tir` into `tirx` and `s_tir`, and dropped some settings on the way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

RELEASE = "0.27"  # of TVM, whose names these are
# Settings of `PassContext`, by the type of their values; objects cannot be written in JSON.
BOOLEANS = frozenset(
    {
        *("relax.backend.use_cuda_graph", "relax.lift_transform_params.consume_params"),
        *("relax.transform.apply_legalize_ops", "testing.immutable_module"),
        *("s_tir.instr_siblings", "s_tir.lwp_disable_func_prof", "s_tir.reset_start_id"),
        *("tirx.debug_keep_trivial_loop", "tirx.disable_assert", "tirx.disable_cse_tir"),
        *("tirx.disable_storage_rewrite", "tirx.disable_vectorize"),
        *("tirx.enable_buffer_level_predication", "tirx.enable_debug", "tirx.enable_fast_math"),
        *("tirx.instrument_bound_checkers", "tirx.instrument_lwp", "tirx.is_entry_func"),
        *("tirx.merge_static_smem", "tirx.noalias", "tirx.s_tir.ldg32", "tirx.use_async_copy"),
    }
)
INTEGERS = frozenset(
    {
        *("relax.FuseOps.max_depth", "relax.fallback_device_type"),
        *("s_tir.lwp_max_depth", "s_tir.lwp_min_height", "tirx.vtcm_capacity"),
    }
)
OBJECTS = frozenset(
    {
        *("s_tir.HoistExpression", "s_tir.HoistIfThenElse", "s_tir.InjectDoubleBuffer"),
        *("s_tir.LoopPartition", "tirx.RemoveNoOp", "tirx.StmtSimplify", "tirx.UnrollLoop"),
        "tirx.add_lower_pass",
    }
)
CURRENT = BOOLEANS | INTEGERS | OBJECTS

# Earlier names that differ in more than the namespace.
RENAMED = {
    "tir.Simplify": "tirx.StmtSimplify",
    "tir.ptx_ldg32": "tirx.s_tir.ldg32",
    "tirx.ptx.ldg32": "tirx.s_tir.ldg32",  # in 0.25 and 0.26
}
# Settings of earlier releases that 0.27 no longer has.
GONE = frozenset(
    {
        "tir.ReduceBranchingThroughOvercompute",
        "tir.contrib.ethos-u.copy_compute_reordering_max_copy_movements",
        "tir.contrib.ethos-u.copy_compute_reordering_reorder_by_cycles",
        "tir.detect_global_barrier",
        "tir.enable_equiv_terms_in_cse_tir",
        "tir.experimental_dma_bypass_cache",
        "tir.merge_async_commit_queue_scope",
        *("tir.usmp.algorithm", "tir.usmp.custom_algorithm", "tir.usmp.enable"),
        "tir.usmp.use_workspace_io",
    }
)


def _earlier_names() -> dict[str, str]:
    """Return TVM's current names by earlier ones: `tir.X` is now `tirx.X` or `s_tir.X`."""
    names = dict(RENAMED)
    for current in CURRENT:
        namespace, _, name = current.partition(".")
        if namespace in ("tirx", "s_tir") and current not in RENAMED.values():
            names[f"tir.{name}"] = current
    return names


EARLIER_NAMES = _earlier_names()


def current_name(name: str) -> str:
    """Return the name of a setting in TVM 0.27; the same name if TVM does not have it any more."""
    return EARLIER_NAMES.get(name, name)


def override_settings(outer: Mapping[str, Any], inner: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that apply inside a node: its own, then those of the node around it.

    A setting overrides another spelling of its name.
    """
    names = set(map(current_name, inner))
    kept = {name: value for name, value in outer.items() if current_name(name) not in names}
    return {**kept, **inner}


def is_accepted(name: str, value: object) -> bool:
    """Return whether TVM 0.27 accepts a setting by this current name, with this value."""
    if name in BOOLEANS:
        return isinstance(value, bool)
    return name in INTEGERS and isinstance(value, int) and not isinstance(value, bool)


def repeated_names(names: Iterable[str]) -> list[list[str]]:
    """Return the settings that are named more than once: each with its spellings, in order."""
    spellings: dict[str, list[str]] = defaultdict(list)
    for name in names:
        spellings[current_name(name)].append(name)
    return [group for group in spellings.values() if len(group) > 1]
