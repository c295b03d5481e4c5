from typing import Any

from hypothesis import given

from registry.domain.document import Json
from registry.domain.kinds.hardware import without_facts
from registry.domain.search.attributes import attributes, is_hardware
from tests.domain.strategies import targets

FACTS = {"vendor": "Acme", "sources": {"all": ["https://example.com/"]}}


def test_facts_of_every_node_are_left_out() -> None:
    host: dict[str, Any] = {"kind": "llvm", "hardware": FACTS}
    target: Json = {
        "kind": "composite",
        "devices": [{"kind": "cuda", "host": host}],
        "hardware": {},
    }
    assert without_facts(target) == {
        "kind": "composite",
        "devices": [{"kind": "cuda", "host": {"kind": "llvm"}}],
    }


@given(targets)
def test_only_facts_are_left_out(target: Json) -> None:
    remaining = [value for value in attributes(target) if not is_hardware(value.pointer)]
    assert list(attributes(without_facts(target))) == remaining
    assert without_facts(without_facts(target)) == without_facts(target)
