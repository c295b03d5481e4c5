"""Requests that succeed in the sample registry, and values for generated ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from registry.services.versions.exporting import EXPORT_FORMATS
from tests.api.seed import DIGEST, LLVM, MACHINES


@dataclass(frozen=True, slots=True)
class Sample:
    """Hold the parts of a request."""

    path: dict[str, str] = field(default_factory=dict)
    query: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = None


# References to shipped and published tags, yanked versions, mixins and aliases, by every selector.
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

TILES = ("0/000", "0/001.p/7", "1/000.p/1", "entries/000", "entries/000.p/200")

# Values that generated requests use more often than random ones.
VALUES: dict[str, tuple[Any, ...]] = {
    "path.reference": REFERENCES,
    "path.alias": ("acme/GPU,latest", "acme/NEW", "nvidia/a100", "acme/board"),
    "path.pair": PAIRS,
    "path.digest": (DIGEST,),
    "path.tile": TILES,
    "path.name": ("llvm", "executor/aot", "body", "acme", "nvidia"),
    "path.number": (1, 2, 3, 4),
    "query.state": ("open", "rejected", "all"),
    "query.submitter": ("alice", "carol"),
    "query.requester": ("alice", "carol"),
    "query.name": ("initech", "arm"),
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

BY_REFERENCE = [Sample({"reference": reference}) for reference in REFERENCES]
BY_TAG = [Sample({"reference": tag}) for tag in TAGS]
FIRST = {"number": "1"}  # the proposal
TEXT = {"text": "Whose board is it?"}
NEXT = {"If-Match": '"2.0.0"'}

OF_GPUS = dict.fromkeys(("nvcc", "hipcc"), "acme/cards")  # formats of GPUs
# No request of the samples' token succeeds: the one needs an identity token, which is valid once,
# the other a token for all names, which may only propose.
WITHOUT_SAMPLES = {"trusted_publishing", "comment_on_request"}
REQUESTS: dict[str, list[Sample]] = {
    "resolve": [
        *BY_REFERENCE,
        *(
            Sample({"reference": OF_GPUS.get(name, "acme/board@1.0.0")}, {"format": name})
            for name in EXPORT_FORMATS
        ),
        Sample({"reference": "acme/machine"}, {"format": "tvm", "record": "1", "strict": "1"}),
        Sample({"reference": "acme/machine"}, {"node": "/devices/right"}),
        Sample({"reference": "nvidia/jetson-nano:cuda"}, headers={"If-None-Match": "*"}),
    ],
    "resolve_many": [
        Sample(body={"references": [*REFERENCES, "acme/nothing", "?", "acme/board@7"]}),
        Sample(body={"references": list(REFERENCES), "format": "target"}),
        Sample(body={"references": list(REFERENCES), "format": "clang", "strict": True}),
        Sample(body={"references": list(REFERENCES), "format": "tvm", "record": True}),
        Sample(body={"references": []}),
    ],
    "explain": BY_REFERENCE,
    "digest": [Sample({"digest": DIGEST})],
    "tags": [
        Sample(),
        Sample(query={"q": "jetson"}),
        Sample(query={"namespace": "acme"}),
        Sample(query={"kind": "mixin"}),
        Sample(query={"vendor": "NVIDIA", "arch": "sm_53", "family": "Maxwell"}),
        Sample(query={"status": "yanked"}),
        Sample(query={"sort": "published"}),
        Sample(query={"sort": "used"}),
        Sample(query={"where": list(CONDITIONS[:2])}),
    ],
    "tag": BY_TAG,
    "versions": BY_TAG,
    "publish": [
        Sample({"reference": "acme/new"}, headers={"If-None-Match": "*"}, body={"target": LLVM}),
        Sample(
            {"reference": "acme/new:big"},
            headers={"If-None-Match": "*"},
            body={"target": {"kind": "composite", "devices": MACHINES}, "message": "Two"},
        ),
        Sample({"reference": "acme/board"}, headers=NEXT, body={"target": LLVM | {"num-cores": 2}}),
        Sample({"reference": "acme/board"}, headers=NEXT, body={"target": LLVM, "sources": []}),
    ],
    "diff": [Sample({"pair": pair}) for pair in PAIRS],
    "baseline": [
        Sample(body={"machines": ["acme/board"]}),
        Sample(body={"machines": ["nvidia/nvidia-h100", "nvidia/nvidia-a100"], "builds": 2}),
    ],
    "runs_on": [
        *(Sample({"pair": pair}) for pair in PAIRS),
        Sample({"pair": PAIRS[0]}, query={"ships": "cubin,ptx", "driver": "570.26"}),
    ],
    "runs_on_list": [
        Sample({"reference": "acme/board"}, {"direction": "machines"}),
        Sample({"reference": "acme/board"}, {"direction": "targets", "verdict": "unknown"}),
        Sample({"reference": "acme/board"}, {"direction": "targets", "namespace": "acme"}),
    ],
    "runs_on_targets": [
        Sample(body={"built_for": LLVM, "machine": "acme/board"}),
        Sample(body={"built_for": LLVM, "machine": LLVM, "options": {"strict": True}}),
    ],
    "lineage": BY_REFERENCE,
    "dependents": [
        *BY_REFERENCE,
        Sample({"reference": "acme/board"}, {"versions": "all"}),
    ],
    "yank": [Sample({"reference": "acme/board@1.0.0"}, body=REASON)],
    "unyank": [Sample({"reference": "acme/gone@1.0.0"}, body=REASON)],
    "deprecate": [
        Sample({"reference": "acme/board"}, body=REASON),
        Sample({"reference": "acme/board"}, body=REASON | {"successor": "acme/child"}),
    ],
    "undeprecate": [Sample({"reference": "acme/old"}, body=REASON)],
    "point_alias": [
        Sample({"alias": "acme/NEW"}, body={"reference": "acme/board"}),
        Sample({"alias": "acme/GPU,latest"}, body={"reference": "nvidia/nvidia-h100@1"}),
    ],
    "identify": [
        Sample(body={"text": "GPU 0: NVIDIA A100-SXM4-40GB"}),
        Sample(body={"text": "a text that describes nothing"}),
    ],
    "check": [
        Sample(body={"tag": "acme/board", "format": "tvm-string", "source": "llvm -mcpu=haswell"}),
        Sample(body={"tag": "acme/board", "format": "tvm", "source": LLVM}),
        Sample(body={"tag": "acme/board", "format": "config", "source": "{}"}),
        Sample(body={"tag": "acme/board", "target": LLVM}),
        Sample(body={"tag": "acme/board", "target": {"kind": "lvm"}}),
        Sample(
            query={"include": "impact,near"},
            body={"tag": "acme/board", "target": LLVM | {"mcpu": "cortex-a76"}},
        ),
        Sample(
            query={"include": "impact"}, body={"tag": "acme/board", "target": {"tag": "acme/gone"}}
        ),
    ],
    "proposals": [
        Sample(),
        Sample(query={"state": "all"}),
        Sample(query={"state": "accepted", "namespace": "acme", "tag": "acme/taken"}),
        Sample(query={"submitter": "carol"}),
    ],
    "propose": [
        Sample(body={"tag": "acme/board", "target": LLVM}),
        Sample(
            headers={"Idempotency-Key": "a5"},
            body={"tag": "acme/new", "format": "tvm", "source": LLVM, "base": None},
        ),
        Sample(
            body={
                "tag": "acme/board",
                "target": LLVM | {"num-cores": 3},
                "message": "Three",
                "sources": ["https://example.com/"],
                "base": "2.0.0",
            }
        ),
    ],
    "proposal": [Sample({"number": number}) for number in ("1", "2", "3", "4")],
    "revise": [
        Sample(FIRST, body={"revision": 1, "target": LLVM | {"num-cores": 3}, "text": "Three"}),
        Sample(FIRST, body={"revision": 1, "format": "tvm", "source": LLVM, "message": "Four"}),
    ],
    "comment": [Sample({"number": number}, body=TEXT) for number in ("1", "3", "4")],
    "ask": [Sample(FIRST, body={"revision": 1} | TEXT)],
    "accept": [
        Sample(FIRST, body={"revision": 1}),
        Sample({"number": "2"}, body={"revision": 1} | TEXT),
    ],
    "reject": [Sample(FIRST, body={"revision": 1} | TEXT)],
    "withdraw": [Sample(FIRST, body={}), Sample(FIRST, body=TEXT)],
    "catalogue": [Sample()],
    "kinds": [Sample()],
    "kind": [
        Sample({"name": name}) for name in ("llvm", "executor/aot", "hardware", "flow", "body")
    ],
    "namespaces": [Sample()],
    "namespace": [Sample({"name": "acme"}), Sample({"name": "nvidia"})],
    "readme": [Sample({"name": "acme"})],
    "readme_revision": [Sample({"name": "acme", "number": "1"})],
    "write_readme": [
        Sample({"name": "acme"}, body={"text": "Boards and chips", "revision": 1}),
        Sample({"name": "acme"}, body={"text": "", "revision": 1}),
    ],
    "request_comments": [Sample({"number": number}) for number in ("1", "2")],
    "namespace_requests": [
        Sample(),
        Sample(query={"state": "all"}),
        Sample(query={"state": "rejected", "name": "initech", "requester": "alice"}),
    ],
    "namespace_request": [Sample({"number": number}) for number in ("1", "2")],
    "user": [Sample({"name": name}) for name in ("alice", "ALICE", "catalogue")],
    "log_checkpoint": [Sample()],
    "log_keys": [Sample()],
    "log_tile": [Sample({"tile": tile}) for tile in TILES],
    "events": [Sample(), Sample(query={"after": 3}), Sample(query={"namespace": "acme"})],
}
