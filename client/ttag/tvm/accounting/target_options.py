"""The options of the kinds of targets, and which of them TVM 0.27 reads."""

from __future__ import annotations

from collections.abc import Mapping

from ttag.tvm.accounting.outcomes import Irrelevant, Lost, Outcome, Step

NAME = Irrelevant("it names a product, which no code of TVM reads")
DRIVER = Irrelevant("it describes a driver, which no code of TVM reads")
RUNTIME_ASKS = Irrelevant("the runtime asks the device itself")
UNREAD = Lost("nothing in TVM reads it since 0.20 removed Relay: remove it")

COMMON: Mapping[str, Outcome] = {
    **dict.fromkeys(("kind", "keys", "device"), Step.TARGET),
    "model": NAME,
}
LLVM = ("mtriple", "mcpu", "mattr")
GPU = ("max_num_threads", "max_threads_per_block", "max_shared_memory_per_block")
FAST_MATH = ("nnan", "ninf", "nsz", "arcp", "contract", "reassoc")

READ: Mapping[str, tuple[str, ...]] = {
    "c": ("mcpu",),
    "cuda": (*GPU, "arch", "thread_warp_size", "registers_per_block", "l2_cache_size_bytes"),
    "cuda_host": (),
    "ext_dev": (),
    "hexagon": (*LLVM, "llvm-options", "num-cores", "vtcm-capacity"),
    "llvm": (
        *(*LLVM, "mfloat-abi", "mabi", "num-cores", "opt-level", "cl-opt", "jit", "vector-width"),
        *("fast-math", *(f"fast-math-{name}" for name in FAST_MATH)),
    ),
    "metal": (*GPU, "thread_warp_size", "max_function_args"),
    "nvptx": ("mcpu", "mtriple", "max_num_threads", "thread_warp_size"),
    "opencl": (
        *(*GPU, "thread_warp_size", "texture_spatial_limit", "texture_depth_limit"),
        "max_function_args",
    ),
    "rocm": (*GPU, *LLVM, "thread_warp_size"),
    "test": (),
    "trn": (
        *("partition_size", "max_sbuf_size_per_partition", "max_psum_size_per_partition"),
        "num-cores",
    ),
    "vulkan": (
        *(*GPU, "mattr", "thread_warp_size", "supports_float16", "supports_float32"),
        *("supports_float64", "supports_int8", "supports_int16", "supports_int32"),
        *("supports_int64", "supports_8bit_buffer", "supports_16bit_buffer"),
        *("supports_storage_buffer_storage_class", "supports_integer_dot_product"),
        *("supports_cooperative_matrix", "supported_subgroup_operations"),
        *("max_block_size_x", "max_block_size_y", "max_block_size_z", "max_push_constants_size"),
        *("max_uniform_buffer_range", "max_storage_buffer_range"),
        *("max_per_stage_descriptor_storage_buffer", "vulkan_api_version", "max_spirv_version"),
    ),
    "webgpu": (
        *("max_num_threads", "max_shared_memory_per_block", "thread_warp_size"),
        "supports_subgroups",
    ),
}
NOT_READ: Mapping[str, Mapping[str, Outcome]] = {
    "c": {
        "march": NAME,
        "workspace-byte-alignment": UNREAD,
        "constants-byte-alignment": UNREAD,
    },
    "cuda": {"mcpu": NAME},
    "opencl": {"image_base_address_alignment": UNREAD},
    "vulkan": {
        **dict.fromkeys(("device_type", "device_name"), NAME),
        **dict.fromkeys(("driver_name", "driver_version"), DRIVER),
        **dict.fromkeys(
            ("supports_push_descriptor", "supports_dedicated_allocation"), RUNTIME_ASKS
        ),
    },
}


def target_option(kind: str, option: str) -> Outcome | None:
    """Return what becomes of an option of a node that is compiled; None if it has no row."""
    if kind not in READ:
        return None
    if option in READ[kind]:
        return Step.TARGET
    return COMMON.get(option) or NOT_READ.get(kind, {}).get(option)
