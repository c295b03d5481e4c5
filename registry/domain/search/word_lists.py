"""Words of searches that decide nothing, and words that always decide."""

from __future__ import annotations

from collections.abc import Mapping

STOP_WORDS = frozenset(
    {
        *("a", "all", "an", "and", "as", "at", "by", "for", "from", "has", "in", "is", "it", "its"),
        *("of", "on", "or", "the", "to", "with"),
    }
)

# Words beside the name of a machine: they rank tags that have them, and exclude none.
BESIDE_NAMES = frozenset(
    {
        *("accelerator", "adapter", "benchmark", "best", "buy", "card", "cards"),
        *("cheap", "chip", "chips", "code", "compile", "compiler", "computer", "console", "core"),
        *("cores", "cpu", "cpus", "dedicated", "desktop", "dev", "developer", "device", "devkit"),
        *("discrete", "dual", "edition", "evaluation", "eval", "founders", "gaming", "generation"),
        *("gpu", "gpus", "graphic", "graphics", "hardware", "instance", "instances", "integrated"),
        *("kit", "machine", "machines", "machinelearning", "my", "new", "oc", "octa", "price"),
        *("please", "processor", "processors", "program", "quad", "release", "review", "sbc"),
        *("server", "servers", "soc", "socs", "spec", "specification", "specs", "system", "tag"),
        *("target", "targets", "tesla", "tune", "tuning", "tutorial", "tvm", "vcpu", "video", "vm"),
    }
)

# Of cards, whose makers are not those of what is on them.
CARD_MAKERS = frozenset(
    {
        *("asrock", "asus", "colorful", "evga", "gainward", "galax", "gigabyte", "gunnir"),
        *("inno3d", "kfa2", "leadtek", "manli", "maxsun", "msi", "palit", "pny", "powercolor"),
        *("xfx", "yeston", "zotac"),
    }
)

# Words before a number that is theirs: an M5 is no Cortex-M5.
CORES = frozenset(
    {"adreno", "cortex", "ethos", "hexagon", "immortalis", "kryo", "mali", "neoverse"}
)

# After a name, these words make another machine of it: an RTX 4070 Ti is no RTX 4070.
SUFFIXES = frozenset(
    {
        *("ada", "air", "d", "edge", "elite", "extreme", "fe", "fold", "fusion", "k", "kf"),
        *("laptop", "le"),
        *("lite", "max", "maxq", "mini", "mobile", "neo", "note", "nx", "oem", "plus", "power"),
        *("prime", "pro", "q", "s", "se", "slim", "super", "t", "ti", "turbo", "ultra", "x", "xl"),
        *("xt", "xtx", "xtxh", "gre", "z", "zoom", "go", "flip", "play", "stylus", "ace", "nord"),
        *("ii", "iii", "iv", "vi", "vii", "viii", "ix"),  # the mark of an Xperia 1 III
    }
)

# Suffixes that mean the same: an RTX 2060 is called mobile, an RTX 3060 a laptop GPU.
SAME_SUFFIXES: Mapping[str, str] = {"laptop": "mobile", "mobile": "laptop"}

# Words that make another line of one: a Quadro RTX 6000 is eight years younger than a Quadro 6000.
LINES: Mapping[str, frozenset[str]] = {"quadro": frozenset({"rtx"})}

# The first word of all types of a cloud, by its namespace: `ecs.i2.xlarge` is no `i2.xlarge`.
PREFIXES: Mapping[str, str] = {"alibaba": "ecs"}

# Words of products and makers that are never taken for another word, and never left out.
BRANDS = frozenset(
    {
        *("amd", "apple", "intel", "nvidia", "qualcomm"),  # an AMD RTX 4090 is no RTX 4090
        *("acer", "agilex", "alexa", "alienware", "alpha", "alveo", "arria", "artix", "ascend"),
        *("athlon", "atmega", "attiny", "avr", "axelera", "biren", "birentech", "blackberry"),
        *("book", "brainchip", "buds", "cambricon", "celeron", "cell", "cerebras", "chromebook"),
        *("chromecast", "colossus", "coral", "cyclone", "deck", "deepx", "dell", "dgx"),
        *("dimensity", "dojo", "echo", "edge", "elbrus", "elitebook", "enflame", "epyc"),
        *("etched", "ethos", "exynos", "fairphone", "firepro", "fold", "fpga", "framework"),
        *("furiosa", "galaxy", "gaudi", "geforce", "goya", "graphcore", "graviton", "groq"),
        *("habana", "hailo", "helio", "hexagon", "home", "homepod", "honor", "huawei", "ideapad"),
        *("iluvatar", "imac", "imx", "inferentia", "infinix", "inspiron", "instinct", "ipad"),
        *("iphone", "ipod", "ipu", "itanium", "jetson", "kendryte", "kindle", "kintex", "kirin"),
        *("kria", "kunlun", "kunpeng", "larrabee", "latitude", "legion", "lenovo", "librem"),
        *("loihi", "lpu", "luckfox", "mac", "macbook", "maia", "mate", "matebook", "meizu"),
        *("memryx", "metax", "metis", "mips", "mlu", "mobileye", "motorola", "movidius", "mtia"),
        *("myriad", "mythic", "nanopi", "nest", "nexus", "nintendo", "nokia", "nord", "note"),
        *("notebook", "nothing", "nuc", "oculus", "odroid", "omen", "omnibook", "oppo"),
        *("opteron", "optiplex", "oryon", "pavilion", "pentium", "phenom", "phi"),
        *("phone", "pic", "pinebook", "pinephone", "pixel", "playstation", "poco", "poweredge"),
        *("powervr", "precision", "predator", "proliant", "propeller", "quadro", "quest"),
        *("radeon", "razer", "realme", "rebellions", "redmi", "ring", "risc", "rivos", "router"),
        *("ryzen", "sambanova", "samsung", "sapeon", "sima", "simatic", "snapdragon", "sophon"),
        *("sparc", "steam", "stick", "stratix", "strix", "surface", "switch", "tab", "tablet"),
        *("tecno", "tegra", "tenstorrent", "thinkbook", "thinkcentre", "thinkpad"),
        *("thinkstation", "threadripper", "titan", "tpu", "trainium", "turing", "tv", "unisoc"),
        *("vastai", "vega", "versal", "virtex", "vivo", "vivobook", "watch", "wormhole", "xbox"),
        *("xperia", "yoga", "zenbook", "zenfone", "zephyrus", "zte"),
        # Makers of other things than the catalogue has, whose numbers others have, too.
        *("alcatel", "archos", "blackview", "broadcom", "cubot", "doogee", "gionee", "hisense"),
        *("htc", "itel", "kyocera", "matrox", "micromax", "mobility", "netgear", "oukitel"),
        *("panasonic", "philips", "qnap", "stmicroelectronics", "synology", "tcl", "texas"),
        *("toshiba", "ulefone", "umidigi", "vestel", "wiko"),
    }
)

# Terms that mean the same as a word, or imply it.
SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "amd64": ("x86",),
    "arm64": ("aarch64",),
    "avx512": ("skylakeavx512", "x8664v4"),
    "avx512f": ("skylakeavx512", "x8664v4"),
    "riscv": ("riscv32", "riscv64"),
    "stmicroelectronics": ("st",),
    "sve": ("neoversev1", "neoversev2", "neoversen2", "a64fx"),
    "x64": ("x86",),
}

# Toolkits, systems and drivers: a number after one of them is its version.
VERSIONED = (
    *("android", "ios", "ipados", "macos", "mac os", "osx", "os x", "windows", "win", "linux"),
    *("ubuntu", "debian", "fedora", "centos", "rhel", "arch linux", "alpine", "raspbian"),
    *("raspberry pi os", "kernel", "wsl", "cuda", "cudnn", "tensorrt", "driver", "drivers"),
    *("rocm", "hip", "oneapi", "openvino", "opencl", "vulkan", "opengl", "gles", "opengl es"),
    *("directx", "dx", "metal", "sycl", "openmp", "python", "pytorch", "torch", "tensorflow"),
    *("jax", "onnx", "onnxruntime", "tvm", "iree", "mlir", "triton", "llvm", "clang", "gcc"),
    *("cmake", "nvcc", "jetpack", "l4t", "nodejs", "numpy", "shader model", "compute capability"),
    *("gnu", "glibc", "mesa", "firmware", "bios", "rev", "revision", "revb", "stepping"),
)

# Interfaces and kinds of memory, with their generation.
INTERFACES = (
    r"lp-?ddr\d(?:x|t)?",
    r"g?ddr\d?x?",
    r"gddr\d?x?",
    r"hbm\d?e?",
    r"pcie?(?:[ -]?express)?[ -]?(?:gen[ -]?)?\d(?:\.\d)?(?:[ -]?x\d\d?)?",
    r"pci(?:e|[ -]express)[ -]?x\d\d?",
    r"x\d\d? lanes?",
    r"usb[ -]?(?:c|\d(?:\.\d)?)",
    r"thunderbolt[ -]?\d",
    r"hdmi[ -]?\d(?:\.\d)?",
    r"displayport[ -]?\d(?:\.\d)?",
    r"wi-?fi[ -]?\d[a-z]?",
    r"bluetooth[ -]?\d(?:\.\d)?",
    r"(?:5g|4g|lte|nfc)",
    r"(?:nvme|sata|emmc|ufs[ -]?\d(?:\.\d)?)",
    r"(?:lga|fclga|fcbga|pga)[ -]?\d+",
    r"socket[ -]?[a-z]*\d+",
    r"(?<= )(?:am[2-5]|fm[12]|sp[3-6]|s?tr[45])\+?",  # sockets, after a processor
    r"(?!\A)(?<!samsung )sm-[a-z]\d{3,4}[a-z]{0,3}\d?",  # Samsung's order codes, after a name
    r"nvlink[ -]?\d?",
)
