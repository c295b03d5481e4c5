"""Tuning records stay valid over several versions of a tag."""

import json
from typing import Any

import pytest

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference
from registry.services.versions import resolving
from tests.publishing import publish, yank

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

GPU: dict[str, Any] = {"kind": "cuda", "arch": "sm_87", "max_shared_memory_per_block": 49152}
CPU: dict[str, Any] = {"kind": "llvm", "mtriple": "aarch64-linux-gnu", "num-cores": 6}
BOARD = {**GPU, "host": CPU}


def build(reference: str) -> tuple[str, set[str]]:
    """Return the version that a build gets, and its tuning keys."""
    resolved = resolving.resolve(Reference.parse(reference))
    return resolved.exact, set(json.loads(resolved.tuning_keys).values())


def test_records_match_as_long_as_they_are_valid() -> None:
    publish("acme/board", BOARD)
    _, records = build("acme/board")  # of two leaves
    settings = {"executor": "vm", "flow": {"link-params": True}}
    publish("acme/board", BOARD | settings)
    assert build("acme/board@1") == ("acme/board@1.1.0", records)
    publish("acme/board", BOARD | settings | {"hardware": {"vendor": "Acme"}})
    assert build("acme/board@1") == ("acme/board@1.1.1", records)
    publish("acme/board", BOARD | {"max_shared_memory_per_block": 101376})
    exact, keys = build("acme/board")
    assert exact == "acme/board@2.0.0"
    assert len(keys & records) == 1, "the host is unchanged"
    assert build("acme/board@1") == ("acme/board@1.1.1", records)


def test_fix_after_a_yanked_major_keeps_the_records() -> None:
    publish("acme/board", BOARD)
    _, records = build("acme/board")
    publish("acme/board", BOARD | {"max_shared_memory_per_block": 101376})
    yanked = build("acme/board@2")
    yank("acme/board@2.0.0")
    assert build("acme/board") == ("acme/board@1.0.0", records)
    publish("acme/board", BOARD | {"runtime": "cpp"})
    assert build("acme/board") == ("acme/board@1.1.0", records)
    assert build("acme/board@2.0.0") == yanked, "builds with it are reproducible"
    with pytest.raises(Refused) as refused:
        build("acme/board@2")
    assert refused.value.code == Code.VERSION_UNKNOWN
    publish("acme/board", BOARD | {"max_shared_memory_per_block": 65536})
    assert build("acme/board")[0] == "acme/board@3.0.0"


def test_fewer_devices_are_a_major() -> None:
    server = {"kind": "composite", "devices": [GPU] * 8, "host": CPU}
    publish("acme/server", server)
    publish("acme/server", server | {"devices": [GPU] * 4})
    assert build("acme/server")[0] == "acme/server@2.0.0"
    assert build("acme/server@1")[0] == "acme/server@1.0.0"
    publish("acme/server", server)
    assert build("acme/server")[0] == "acme/server@2.1.0", "more of the same leaves"
