"""Short outputs of tools, of machines that nobody owns."""

LSCPU = """\
Architecture:            x86_64
CPU(s):                  32
Vendor ID:               AuthenticAMD
Model name:              AMD Ryzen 9 5950X 16-Core Processor
CPU family:              25
Model:                   33
Thread(s) per core:      2
Core(s) per socket:      16
Socket(s):               1
L3 cache:                64 MiB (2 instances)
"""
LSCPU_JSON = """\
{"lscpu": [
  {"field": "Architecture:", "data": "aarch64"},
  {"field": "CPU(s):", "data": "4"},
  {"field": "Model name:", "data": "Neoverse-V1"}
]}
"""
CPUINFO_X86 = """\
processor\t: 0
vendor_id\t: GenuineIntel
cpu family\t: 6
model\t\t: 143
model name\t: Intel(R) Xeon(R) Platinum 8480+
flags\t\t: fpu lm sse sse2 avx2
"""
CPUINFO_ARM = """\
processor\t: 0
Features\t: fp asimd aes crc32 atomics
CPU implementer\t: 0x41
CPU architecture: 8
CPU part\t: 0xd0c

Hardware\t: Qualcomm Technologies, Inc SDM845
"""
CPUINFO_BOARD = """\
Revision        : c03112
Serial          : 10000000abcdef01
Model           : Raspberry Pi 4 Model B Rev 1.2
"""
SMI_TABLE = """\
|   0  NVIDIA GeForce RTX 3070        Off |   00000000:01:00.0  On |                  N/A |
|  0%   35C    P8             10W /  220W |     300MiB /   8192MiB |      1%      Default |
|   1  NVIDIA GeForce RTX 3070        Off |   00000000:02:00.0 Off |                  N/A |
|  0%   35C    P8             10W /  220W |       3MiB /   8192MiB |      0%      Default |
"""
SMI_LIST = "GPU 0: NVIDIA L4 (UUID: GPU-0)\nGPU 1: NVIDIA A2 (UUID: GPU-1)\n"
SMI_QUERY = """\
    Product Name                          : NVIDIA A30
    FB Memory Usage
        Total                             : 24576 MiB
"""
SMI_XML = """\
<gpu id="1"><product_name>NVIDIA L40</product_name>
<fb_memory_usage>
  <total>46068 MiB</total></fb_memory_usage></gpu>
"""
SMI_CSV = """\
name, compute_cap, memory.total [MiB]
NVIDIA GeForce RTX 4080, 8.9, 16376 MiB
"""
ROCMINFO = """\
  Name:                    gfx1100
  Marketing Name:          AMD Radeon RX 7900 XTX
  Device Type:             GPU
  Compute Unit:            96
"""
ROCM_SMI = (
    '{"card0": {"GPU ID": "0x740f", "Card series": "AMD Instinct MI210", '
    '"VRAM Total Memory (B)": "68702699520"}}'
)
CLINFO = """\
  Device Name                                     Intel(R) Arc(TM) A770 Graphics
  Device Vendor                                   Intel(R) Corporation
  Device Type                                     GPU
  Max compute units                               512
"""
VULKANINFO = """\
GPU0:
\tapiVersion    = 1.3.250
\tvendorID      = 0x1002
\tdeviceType    = PHYSICAL_DEVICE_TYPE_DISCRETE_GPU
\tdeviceName    = AMD Radeon RX 6800 (RADV NAVI21)
"""
SYSCTL = (
    "hw.memsize: 34359738368\nmachdep.cpu.brand_string: Apple M2 Pro\nmachdep.cpu.core_count: 12\n"
)
PROFILER = "Model Name: MacBook Air\nModel Identifier: Mac14,2\nChip: Apple M2\nMemory: 16 GB\n"
PROFILER_INTEL = (
    "Model Name: iMac\nModel Identifier: iMac19,1\nProcessor Name: 6-Core Intel Core i5\n"
)
GETPROP = """\
[ro.product.model]: [Pixel 6]
[ro.product.manufacturer]: [Google]
[ro.product.cpu.abi]: [arm64-v8a]
[ro.board.platform]: [gs101]
"""
TORCH = (
    "_CudaDeviceProperties(name='Tesla T4', major=7, minor=5, total_memory=15109MB, "
    "multi_processor_count=40)"
)
LLAMA = "  Device 0: NVIDIA GeForce RTX 3060, compute capability 8.6, VMM: yes, VRAM: 12044 MiB"
DEVICE_QUERY = """\
Device 0: "Tesla V100-SXM2-16GB"
  CUDA Driver Version / Runtime Version          12.2 / 12.2
  CUDA Capability Major/Minor version number:    7.0
  Total amount of global memory:                 16151 MBytes (16935682048 bytes)
"""
UNSUPPORTED = (
    "NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with this install.\n"
    "It supports CUDA capabilities sm_50 sm_60 sm_70 sm_75.\n"
)
ROCBLAS = """\
rocBLAS error: Cannot read TensileLibrary.dat for GPU arch : gfx1036
 List of available TensileLibrary Files :
"/opt/rocm/lib/rocblas/library/TensileLibrary_lazy_gfx1030.dat"
"""
VULKAN_LOG = "Created Vulkan device: NVIDIA GeForce GTX 1660\n"
METAL_LOG = "ggml_metal_init: GPU name:   Apple M1 Max\n"
NEOFETCH = "CPU: AMD Ryzen 7 7840HS w/ Radeon 780M Graphics (16) @ 5.1GHz\n"
TUNED = "E=8,N=14336,device_name=NVIDIA_H100_80GB_HBM3.json"
INSTANCE = 'instance_type = "c5.9xlarge"'
TVM_LINE = 'target = "llvm -mcpu=skylake-avx512"'
TVM_OBJECT = 'TARGETS = {\n  "one": {"kind": "cuda", "arch": "sm_86",},  # a comment\n}\n'
IREE_FLAGS = (
    "iree-compile --iree-hal-target-backends=llvm-cpu --iree-llvmcpu-target-cpu=znver4 a.mlir"
)
