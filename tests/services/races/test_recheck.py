"""Writes between the first check of a publication and its lock, in a fixed order."""

import json
from typing import Any

import pytest

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference
from registry.models import KindRevision, User, VersionKind
from registry.services.core import shipped_facts
from registry.services.core.permissions import Actor
from registry.services.kinds import kinds
from registry.services.tags import aliases
from registry.services.versions import publishing
from tests.publishing import publish, yank
from tests.services.conftest import RunBeforeLock

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

LLVM = {"kind": "llvm", "mcpu": "haswell"}
CORES = LLVM | {"num-cores": 4}


def refusals(tag: str, target: Any) -> list[str]:
    with pytest.raises(Refused) as refused:
        publish(tag, target)
    return [refused.value.code, *(fault.code for fault in refused.value.faults)]


def test_publication_of_another_tag_does_not_matter(run_before_lock: RunBeforeLock) -> None:
    run_before_lock(lambda: publish("acme/other", LLVM))
    assert str(publish("acme/board", LLVM).number) == "1.0.0"


def test_version_published_meanwhile_is_rejected(run_before_lock: RunBeforeLock) -> None:
    run_before_lock(lambda: publish("acme/board", CORES))
    assert refusals("acme/board", LLVM) == [Code.PRECONDITION_FAILED]


def test_base_yanked_meanwhile_is_skipped(run_before_lock: RunBeforeLock) -> None:
    publish("acme/board", LLVM)
    publish("acme/board", CORES)
    run_before_lock(lambda: yank("acme/board@2.0.0"))
    assert str(publish("acme/board", LLVM | {"executor": "graph"}).number) == "1.1.0"


def test_parent_published_meanwhile_is_inherited(run_before_lock: RunBeforeLock) -> None:
    publish("acme/base", LLVM)
    run_before_lock(lambda: publish("acme/base", CORES))
    assert json.loads(publish("acme/board", {"tag": "acme/base"}).lineage) == ["acme/base@2.0.0"]


def test_parent_yanked_meanwhile_is_rejected(run_before_lock: RunBeforeLock) -> None:
    publish("acme/base", LLVM)
    run_before_lock(lambda: yank("acme/base@1.0.0"))
    assert Code.PARENT_INVALID in refusals("acme/board", {"tag": "acme/base@1.0.0"})


def test_cycle_closed_meanwhile_is_rejected(run_before_lock: RunBeforeLock) -> None:
    publish("acme/left", LLVM)
    publish("acme/right", LLVM)
    run_before_lock(lambda: publish("acme/left", {"tag": "acme/right", "num-cores": 2}))
    assert Code.CYCLE in refusals("acme/right", {"tag": "acme/left"})


def test_cycle_closed_meanwhile_over_a_third_tag_is_rejected(
    run_before_lock: RunBeforeLock,
) -> None:
    """The body's own references are unchanged, but one of their dependencies is not."""
    publish("acme/bottom", LLVM)
    publish("acme/middle", {"tag": "acme/bottom"})
    publish("acme/top", LLVM)
    run_before_lock(lambda: publish("acme/bottom", {"tag": "acme/top", "num-cores": 2}))
    assert Code.CYCLE in refusals("acme/top", {"tag": "acme/middle", "num-cores": 4})


def test_name_that_became_an_alias_is_rejected(run_before_lock: RunBeforeLock, alice: User) -> None:
    reference = Reference.parse("arm/soc")
    run_before_lock(
        lambda: aliases.point_alias("acme/board", reference, actor=Actor.operator(alice))
    )
    assert refusals("acme/board", LLVM) == [Code.CONFLICT]


def test_kind_revised_meanwhile_is_checked(run_before_lock: RunBeforeLock, alice: User) -> None:
    schema = shipped_facts.kinds()["llvm"] | {"description": "Ours."}
    run_before_lock(lambda: kinds.revise_kind("llvm", schema, actor=Actor.operator(alice)))
    version = publish("acme/board", LLVM)
    newest = KindRevision.objects.filter(kind__name="llvm").latest("number")
    assert VersionKind.objects.filter(version=version, revision=newest).exists()


def test_write_while_the_draft_is_computed_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    publish("acme/base", LLVM)
    create_draft, drafts = publishing.create_draft, []

    def yank_after_drafting(*arguments: Any, **options: Any) -> Any:
        drafts.append(create_draft(*arguments, **options))
        if len(drafts) == 1:
            yank("acme/base@1.0.0")
        return drafts[-1]

    monkeypatch.setattr(publishing, "create_draft", yank_after_drafting)
    assert Code.PARENT_INVALID in refusals("acme/board", {"tag": "acme/base@1.0.0"})
