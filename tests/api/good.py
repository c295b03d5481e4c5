"""Requests that are answered well while the stage stands, and what generated ones are made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from registry.services.versions.exporting import EXPORT_FORMATS
from tests.api.seed import DIGEST, LLVM, MACHINES


@dataclass(frozen=True, slots=True)
class Good:
    """The parts of a request."""

    path: dict[str, str] = field(default_factory=dict)
    query: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = None


# References of all sorts: shipped and published, whole, yanked, mixins, aliases, by every selector.
REFERENCES = (
    "acme/board",
    "acme/board@1",
    "acme/board@1.0.0",
    "acme/child",
    "acme/machine",
    "acme/patch",
    "acme/old",
    "acme/gone@1.0.0",
    "acme/GPU,latest",
    "nvidia/jetson-nano:cuda",
    "nvidia/jetson-nano@1.0",
    "nvidia/a100@1",
    "example/soc-with-npu",
    f"arm/soc:aot@{DIGEST}",
)
TAGS = tuple(reference for reference in REFERENCES if "@" not in reference)
PAIRS = (
    "acme/board@1.0.0...acme/board",
    "acme/board...acme/board",
    "acme/patch...acme/patch@1",
    "nvidia/jetson-nano...nvidia/a100",
)
CONDITIONS = ("num-cores>=4", "/host/mcpu=cortex-a57", "mcpu=cortex-a72", "registers_per_block<9")
REASON = {"reason": "It has four cores; eight were threads"}

# What stands at a place of generated requests more often than anything else.
VALUES: dict[str, tuple[Any, ...]] = {
    "path.reference": REFERENCES,
    "path.alias": ("acme/GPU,latest", "acme/NEW", "nvidia/a100", "acme/board"),
    "path.pair": PAIRS,
    "path.digest": (DIGEST,),
    "path.name": ("llvm", "executor/aot", "body", "acme", "nvidia"),
    "path.number": (1, 2, 3, 4),
    "query.state": ("open", "rejected", "all"),
    "query.submitter": ("alice", "carol"),
    "query.node": ("", "/host", "/devices/left", "/devices/0"),
    "query.where": CONDITIONS,
    "query.q": ("jetson", "a", "RTX", "jetsn"),
    "query.namespace": ("acme", "nvidia", "nobody"),
    "query.kind": ("llvm", "cuda", "mixin"),
    "query.vendor": ("NVIDIA", "AMD"),
    "query.arch": ("sm_53", "sm_90"),
    "query.family": ("Maxwell", "Hopper"),
    "query.status": ("active", "deprecated", "yanked"),
    "header.If-Match": ('"1.0.0"', '"2.0.0"'),
    "body.tag": TAGS,
    "body.reference": REFERENCES,
    "body.references[*]": REFERENCES,
    "body.successor": TAGS,
    "body.revision": (1, 2),
    "body.base": ("1.0.0", "2.0.0"),
}

OF_REFERENCE = [Good({"reference": reference}) for reference in REFERENCES]
OF_TAG = [Good({"reference": tag}) for tag in TAGS]
FIRST = {"number": "1"}  # the proposal
TEXT = {"text": "Whose board is it?"}
NEXT = {"If-Match": '"2.0.0"'}

REQUESTS: dict[str, list[Good]] = {
    "resolve": [
        *OF_REFERENCE,
        *(Good({"reference": "acme/board@1.0.0"}, {"format": name}) for name in EXPORT_FORMATS),
        Good({"reference": "acme/machine"}, {"format": "tvm", "record": "1", "strict": "1"}),
        Good({"reference": "acme/machine"}, {"node": "/devices/right"}),
        Good({"reference": "nvidia/jetson-nano:cuda"}, headers={"If-None-Match": "*"}),
    ],
    "resolve_many": [
        Good(body={"references": [*REFERENCES, "acme/nothing", "?", "acme/board@7"]}),
        Good(body={"references": list(REFERENCES), "format": "target"}),
        Good(body={"references": list(REFERENCES), "format": "clang", "strict": True}),
        Good(body={"references": list(REFERENCES), "format": "tvm", "record": True}),
        Good(body={"references": []}),
    ],
    "explain": OF_REFERENCE,
    "digest": [Good({"digest": DIGEST})],
    "tags": [
        Good(),
        Good(query={"q": "jetson"}),
        Good(query={"namespace": "acme"}),
        Good(query={"kind": "mixin"}),
        Good(query={"vendor": "NVIDIA", "arch": "sm_53", "family": "Maxwell"}),
        Good(query={"status": "yanked"}),
        Good(query={"sort": "published"}),
        Good(query={"where": list(CONDITIONS[:2])}),
    ],
    "tag": OF_TAG,
    "versions": OF_TAG,
    "publish": [
        Good({"reference": "acme/new"}, headers={"If-None-Match": "*"}, body={"target": LLVM}),
        Good(
            {"reference": "acme/new:big"},
            headers={"If-None-Match": "*"},
            body={"target": {"kind": "composite", "devices": MACHINES}, "message": "Two"},
        ),
        Good({"reference": "acme/board"}, headers=NEXT, body={"target": LLVM | {"num-cores": 2}}),
        Good({"reference": "acme/board"}, headers=NEXT, body={"target": LLVM, "sources": []}),
    ],
    "diff": [Good({"pair": pair}) for pair in PAIRS],
    "lineage": OF_REFERENCE,
    "dependents": [
        *OF_REFERENCE,
        Good({"reference": "acme/board"}, {"versions": "all"}),
    ],
    "yank": [Good({"reference": "acme/board@1.0.0"}, body=REASON)],
    "unyank": [Good({"reference": "acme/gone@1.0.0"}, body=REASON)],
    "deprecate": [
        Good({"reference": "acme/board"}, body=REASON),
        Good({"reference": "acme/board"}, body=REASON | {"successor": "acme/child"}),
    ],
    "undeprecate": [Good({"reference": "acme/old"}, body=REASON)],
    "point_alias": [
        Good({"alias": "acme/NEW"}, body={"reference": "acme/board"}),
        Good({"alias": "acme/GPU,latest"}, body={"reference": "nvidia/nvidia-h100@1"}),
    ],
    "check": [
        Good(body={"tag": "acme/board", "format": "tvm-string", "source": "llvm -mcpu=haswell"}),
        Good(body={"tag": "acme/board", "format": "tvm", "source": LLVM}),
        Good(body={"tag": "acme/board", "format": "config", "source": "{}"}),
        Good(body={"tag": "acme/board", "target": LLVM}),
        Good(body={"tag": "acme/board", "target": {"kind": "lvm"}}),
        Good(
            query={"include": "impact,near"},
            body={"tag": "acme/board", "target": LLVM | {"mcpu": "cortex-a76"}},
        ),
        Good(
            query={"include": "impact"}, body={"tag": "acme/board", "target": {"tag": "acme/gone"}}
        ),
    ],
    "proposals": [
        Good(),
        Good(query={"state": "all"}),
        Good(query={"state": "accepted", "namespace": "acme", "tag": "acme/taken"}),
        Good(query={"submitter": "carol"}),
    ],
    "propose": [
        Good(body={"tag": "acme/board", "target": LLVM}),
        Good(
            headers={"Idempotency-Key": "a5"},
            body={"tag": "acme/new", "format": "tvm", "source": LLVM, "base": None},
        ),
        Good(
            body={
                "tag": "acme/board",
                "target": LLVM | {"num-cores": 3},
                "message": "Three",
                "sources": ["https://example.com/"],
                "base": "2.0.0",
            }
        ),
    ],
    "proposal": [Good({"number": number}) for number in ("1", "2", "3", "4")],
    "revise": [
        Good(FIRST, body={"revision": 1, "target": LLVM | {"num-cores": 3}, "text": "Three"}),
        Good(FIRST, body={"revision": 1, "format": "tvm", "source": LLVM, "message": "Four"}),
    ],
    "comment": [Good({"number": number}, body=TEXT) for number in ("1", "3", "4")],
    "ask": [Good(FIRST, body={"revision": 1} | TEXT)],
    "accept": [
        Good(FIRST, body={"revision": 1}),
        Good({"number": "2"}, body={"revision": 1} | TEXT),
    ],
    "reject": [Good(FIRST, body={"revision": 1} | TEXT)],
    "withdraw": [Good(FIRST, body={}), Good(FIRST, body=TEXT)],
    "kinds": [Good()],
    "kind": [Good({"name": name}) for name in ("llvm", "executor/aot", "hardware", "flow", "body")],
    "namespaces": [Good()],
    "namespace": [Good({"name": "acme"}), Good({"name": "nvidia"})],
    "events": [Good(), Good(query={"after": 3}), Good(query={"namespace": "acme"})],
}
