"""Names that machines had before their maker had a namespace."""

from typing import Any

import pytest

from catalogue_tools.superseded import with_former_names
from catalogue_tools.tags import GeneratedTag, Superseded
from registry.services.core.shipped_facts import every_namespace, every_tag
from tests.domain.shipped import library

BOARD = GeneratedTag("acme/one", "acme/boards", {"kind": "c"}, "One", ())
CORE = GeneratedTag("acme/one:m4", "acme/boards", {"kind": "c"}, "One", ())
VARIANT = Superseded("acme/one:big", "acme/chip:big", "Alike")
REASON = "The same board, with its maker"


@pytest.mark.parametrize(
    ("row", "added"),
    [
        ({"tag": "acme/one"}, []),
        (
            {"tag": "acme/one", "former": "boards/acme-one"},
            [
                Superseded("boards/acme-one", "acme/one", REASON),
                Superseded("boards/acme-one:m4", "acme/one:m4", REASON),
                Superseded("boards/acme-one:big", "acme/chip:big", "Alike"),  # not by another one
            ],
        ),
    ],
)
def test_each_name_is_superseded_by_the_tag_in_use(row: Any, added: list[Superseded]) -> None:
    machine: list[GeneratedTag | Superseded] = [BOARD, CORE, VARIANT]
    yielded = [*with_former_names(row, "board", machine)]
    assert [item for item in yielded if item in machine] == machine
    assert [item for item in yielded if item not in machine] == added


def test_no_board_of_a_maker_with_a_namespace_is_in_boards() -> None:
    titles = {entry["title"] for entry in every_namespace()}
    targets: dict[str, Any] = {
        tag.name: library().versions[tag.name][-1].published.target
        for tag in every_tag()
        if tag.name.startswith("boards/") and not tag.deprecated
    }
    makers = {name: target["hardware"]["vendor"] for name, target in targets.items()}
    assert len(makers) > 100
    assert {name: vendor for name, vendor in makers.items() if vendor in titles} == {}
