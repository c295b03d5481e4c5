"""Targets that the tests publish in the namespace acme."""

import json
from collections.abc import Mapping
from typing import Any

from tests.serving import Server, send_request

TRIPLE = "x86_64-unknown-linux-gnu"


def cpu(mcpu: str, **options: Any) -> dict[str, Any]:
    """Return the body of a CPU."""
    return {"kind": "llvm", "mtriple": TRIPLE, "mcpu": mcpu, "num-cores": 2, **options}


# Every x86-64 machine runs x86-64; all but the oldest run x86-64-v2.
BASE, NEWER = cpu("x86-64"), cpu("x86-64-v2")
BODIES: Mapping[str, dict[str, Any]] = {
    "acme/plain": BASE,
    "acme/vm": {**BASE, "executor": "vm", "runtime": "cpp"},
    "acme/aot": {**BASE, "executor": "aot", "runtime": "cpp"},
    "acme/graph": {**BASE, "executor": "graph"},
    "acme/scalar": {**BASE, "flow": {"tir.disable_vectorize": True}},
    "acme/aligned": {**BASE, "executor": {"kind": "aot", "workspace-byte-alignment": 64}},
    "acme/unlinked": {**BASE, "flow": {"link-params": False}},
    "acme/documented": {**BASE, "hardware": {"vendor": "Acme", "cores": 2}},
    "acme/newer": NEWER,
    "acme/arm": {"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mcpu": "cortex-a72"},
    "acme/unreleased": {"kind": "llvm", "mtriple": "riscv64-unknown-linux-gnu", "mcpu": "acme-x9"},
    "acme/unfeatured": cpu("x86-64", mattr=["+sse4.1", "+avx99", "-avx98"]),
    "acme/unfeatured-host": {
        "kind": "cuda",
        "arch": "sm_75",
        "host": cpu("x86-64", mattr=["+avx99"]),
    },
    "acme/mixed": {
        "kind": "composite",
        "devices": {"big": cpu("skylake-avx512"), "little": cpu("haswell")},
        "host": cpu("haswell"),
    },
    "acme/two": {"kind": "composite", "devices": {"base": BASE, "newer": NEWER}, "host": BASE},
    "acme/two:aot": {
        "kind": "composite",
        "devices": {"base": BASE, "newer": NEWER},
        "host": BASE,
        "executor": "aot",
        "runtime": "cpp",
    },
    "acme/gpu": {
        "kind": "composite",
        "devices": {"gpu": {"kind": "cuda", "arch": "sm_75"}},
        "host": BASE,
    },
    "acme/turing": {"kind": "cuda", "arch": "sm_75", "host": BASE},
    "acme/recorded": {
        "kind": "cuda",
        "arch": "sm_75",
        "host": BASE,
        "executor": "vm",
        "runtime": "cuda-graph",
    },
    "acme/offload": {
        "kind": "composite",
        "devices": {
            "npu": {
                "kind": "byoc",
                "codegen": "tiny-matmul",
                "devices": {"core": {"kind": "ext_dev", "model": "npu"}},
                "host": NEWER,
                "runtime": "crt",
            }
        },
        "host": BASE,
        "executor": "vm",
    },
    "acme/two-npus": {
        "kind": "composite",
        "devices": {
            name: {"kind": "byoc", "codegen": "tiny-matmul", "devices": {"core": core}}
            for name, core in [("first", BASE), ("second", NEWER)]
        },
        "host": BASE,
    },
}


def publish_all(server: Server, token: str) -> None:
    """Publish all of them, each as version 1.0.0."""
    headers = {
        "Authorization": f"Bearer {token}",
        "Content-Type": "application/json",
        "If-None-Match": "*",
    }
    for tag, body in BODIES.items():
        content = json.dumps({"target": body, "message": "", "sources": []}).encode()
        answer = send_request(server.port, "POST", f"/api/v1/versions/{tag}", content, **headers)
        assert answer.status == 201, answer.body
