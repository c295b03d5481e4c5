"""A sample registry for tests that try many requests and roll back each one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from registry.domain.reference import Reference, Tag
from registry.models import Namespace, User
from registry.services.core.permissions import Actor
from registry.services.namespaces import discussion, readmes, requests
from registry.services.proposals import review
from registry.services.tags import aliases, deprecation
from tests.publishing import propose, publish, yank
from tests.requests import claim, request_namespace

LLVM = {"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mcpu": "cortex-a72", "num-cores": 4}
MACHINES = {"left": "acme/board", "right": {"tag": "acme/board@1", "mcpu": "cortex-a57"}}
GPUS = [{"kind": "cuda", "arch": "sm_90"}, {"kind": "rocm", "mcpu": "gfx942"}]
DIGEST = "sha256:c91cc1c1e0bb702db9c3a735642fabffdb67706359cb6f43c85fe2fdd926487c"  # arm/soc:aot


def create_samples(actor: User) -> None:
    """Create a tag of every kind in acme."""
    publish("acme/board", LLVM)
    publish("acme/board", LLVM | {"num-cores": 8}, message="Eight cores")
    publish("acme/child", {"tag": "acme/board", "model": "Board"})
    publish("acme/cards", {"kind": "composite", "devices": GPUS})
    publish("acme/machine", {"kind": "composite", "devices": MACHINES})
    publish("acme/patch", {"executor": "aot"})
    publish("acme/gone", LLVM)
    publish("acme/old", LLVM | {"num-cores": 2})
    yank("acme/gone@1.0.0")
    board = Tag.parse("acme/board")
    deprecation.deprecate(
        Tag.parse("acme/old"), reason="Old", successor=board, actor=Actor.operator(actor)
    )
    propose("acme/board", LLVM | {"num-cores": 2}, message="Two cores")
    propose("acme/fresh", {"tag": "acme/board"}, by="carol")
    review.comment(2, text="Whose board is it?", actor=Actor.operator(actor))
    review.reject(propose("acme/bad", LLVM).pk, seen=1, text="A copy", actor=Actor.operator(actor))
    review.accept(
        propose("acme/taken", LLVM | {"num-cores": 6}).pk, seen=1, actor=Actor.operator(actor)
    )
    rejected = request_namespace("initech", actor)
    requests.reject(rejected.pk, text="Who are you?", actor=Actor.operator(actor))
    discussion.comment(claim("arm", actor).pk, text="From the vendor", actor=Actor.operator(actor))
    acme = Namespace.objects.get(name="acme")
    readmes.write(acme, text="# Boards", seen=0, actor=Actor.operator(actor))
    target = Reference.parse("nvidia/nvidia-a100")
    aliases.point_alias("acme/GPU,latest", target, expected=None, actor=Actor.operator(actor))


@contextmanager
def rolled_back() -> Iterator[None]:
    """Roll back everything that the block writes."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
