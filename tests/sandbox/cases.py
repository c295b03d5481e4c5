"""What the sandbox has to notice: texts that do something, and what each does."""

from typing import Any

CLANG = "--target=x86_64-unknown-linux-gnu -march=haswell"
CMAKE = 'set(CMAKE_SYSTEM_NAME "Linux")\nset(CMAKE_SYSTEM_PROCESSOR "x86_64")\n'
IREE = """\
--iree-hal-target-device=local
--iree-hal-local-target-device-backends=llvm-cpu
--iree-llvmcpu-target-triple=x86_64-unknown-linux-gnu
--iree-llvmcpu-target-cpu=haswell
"""
TVM: dict[str, Any] = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "haswell"}

# Words after an honest text, what they do, and to which path; of a program, its name.
NOTICED: dict[str, list[tuple[str, str, str]]] = {
    "clang": [
        ("--target=x86_64-a/evil-linux-gnu", "opened", "$BUILD/x86_64-a/evil-linux-gnu.cfg"),
        ("@evil.txt", "opened", "$BUILD/evil.txt"),
        ("-fplugin=./evil.so", "opened", "$BUILD/evil.so"),
        ("-include evil.h", "opened", "$BUILD/evil.h"),
        ("-MD", "written", "$BUILD/k.d"),
        ("-save-temps", "written", "$BUILD/k.s"),
        ("-mllvm -info-output-file=evil.out", "written", "$BUILD/evil.out"),
        ("-fno-integrated-cc1", "started", "clang"),
        ("missing.o", "tried", "$BUILD/missing.o"),
    ],
    "cmake": [
        ('file(WRITE evil.out "x")', "written", "$BUILD/evil.out"),
        ("file(MAKE_DIRECTORY evil.dir)", "written", "$BUILD/evil.dir"),
        ("file(READ evil.txt x)", "opened", "$BUILD/evil.txt"),
        ("include(evil.cmake)", "opened", "$BUILD/evil.cmake"),
        ("execute_process(COMMAND true)", "started", "true"),
        ("include(missing.cmake OPTIONAL)", "tried", "$BUILD/missing.cmake"),
    ],
    "iree": [
        (
            "--iree-hal-dump-executable-sources-to=evil.d",
            "written",
            "$BUILD/evil.d/module_add_dispatch_0.mlir",
        ),
        ("--iree-codegen-tuning-spec-path=evil.mlir", "opened", "$BUILD/evil.mlir"),
        ("--load=./evil.so", "opened", "$BUILD/evil.so"),
        ("@evil.txt", "opened", "$BUILD/evil.txt"),
    ],
}
