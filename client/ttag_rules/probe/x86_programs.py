"""Features of x86 that no optimisation uses: programs ask for them. Probing names them.

The features are those that clang 22 switches on for each processor.
"""

from __future__ import annotations

# Features that Linux and LLVM call the same, and the others by the flags of Linux.
SAME = (
    *("cldemote", "clflushopt", "clwb", "clzero", "cx16", "enqcmd", "fsgsbase", "fxsr", "invpcid"),
    *("lwp", "mmx", "movdir64b", "movdiri", "mwaitx", "pconfig", "pku", "ptwrite", "rdpid"),
    *("rdpru", "rdseed", "rtm", "serialize", "sgx", "tsxldtrk", "waitpkg", "wbnoinvd", "xsave"),
    *("xsavec", "xsaveopt", "xsaves"),
)
FLAGS = {
    **dict(zip(SAME, SAME, strict=True)),
    "3dnowprefetch": "prfchw",
    "lahf_lm": "sahf",
    "rdrand": "rdrnd",
    "user_shstk": "shstk",
}
# A row is another processor, or `-`, and what is added to it.
FEATURES = {
    "x86-64": "- fxsr mmx",
    **dict.fromkeys(
        ("bonnell", "core2", "nehalem", "penryn", "westmere", "x86-64-v2"), "x86-64 cx16 sahf"
    ),
    **dict.fromkeys(("amdfam10", "btver1"), "bonnell prfchw"),
    **dict.fromkeys(("x86-64-v3", "x86-64-v4"), "bonnell xsave"),
    "sandybridge": "x86-64-v3 xsaveopt",
    "silvermont": "amdfam10 rdrnd",
    **dict.fromkeys(("bdver1", "bdver2"), "amdfam10 lwp xsave"),
    "btver2": "sandybridge prfchw",
    "ivybridge": "sandybridge fsgsbase rdrnd",
    "bdver3": "bdver1 fsgsbase xsaveopt",
    "haswell": "ivybridge invpcid",
    "bdver4": "bdver3 mwaitx rdrnd",
    **dict.fromkeys(("broadwell", "knl", "knm"), "haswell prfchw rdseed"),
    "goldmont": "ivybridge clflushopt prfchw rdseed xsavec xsaves",
    "skylake": "goldmont invpcid sgx",
    "znver1": "goldmont clzero mwaitx",
    "cannonlake": "skylake pku",
    **dict.fromkeys(("cascadelake", "cooperlake", "skylake-avx512"), "goldmont clwb invpcid pku"),
    "goldmont-plus": "goldmont ptwrite rdpid sgx",
    "rocketlake": "goldmont invpcid pku rdpid",
    "icelake-client": "cannonlake rdpid",
    "tremont": "goldmont-plus clwb",
    "znver2": "znver1 clwb rdpid rdpru wbnoinvd",
    "icelake-server": "icelake-client clwb pconfig wbnoinvd",
    "tigerlake": "icelake-client clwb movdir64b movdiri shstk",
    "znver3": "znver2 invpcid pku",
    "znver4": "znver3 shstk",
    "znver5": "znver4 movdir64b movdiri",
    **dict.fromkeys(
        ("alderlake", "gracemont", "meteorlake", "raptorlake"),
        "tigerlake pconfig ptwrite serialize waitpkg",
    ),
    **dict.fromkeys(("arrowlake", "arrowlake-s", "lunarlake", "pantherlake"), "alderlake enqcmd"),
    **dict.fromkeys(("clearwaterforest", "grandridge", "sierraforest"), "arrowlake cldemote"),
    **dict.fromkeys(
        ("emeraldrapids", "graniterapids", "graniterapids-d", "sapphirerapids"),
        "clearwaterforest tsxldtrk wbnoinvd",
    ),
}
