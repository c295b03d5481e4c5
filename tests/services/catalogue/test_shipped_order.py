"""The order in which shipped tags are loaded."""

from typing import Any

import pytest

from registry.domain.errors import Refused
from registry.services.catalogue.shipped_order import sort_into_levels
from registry.services.core import shipped_facts
from registry.services.core.shipped_facts import ShippedTag, ShippedVersion


def tag(name: str, *parents: str, aliases: tuple[str, ...] = ()) -> ShippedTag:
    body: dict[str, Any] = {"tag": list(parents)} if parents else {"kind": "llvm"}
    return ShippedTag(name, aliases, (ShippedVersion(body, ""),), file=f"{name[-1]}.json")


def levels(*tags: ShippedTag) -> list[set[str]]:
    return [{tag.name for tag in level} for level in sort_into_levels(tags)]


def test_each_tag_follows_what_it_refers_to() -> None:
    tags = [
        tag("x/d", "x/c", "x/a"),
        tag("x/c", "x/b@1.0.0"),
        tag("x/b"),
        tag("x/a", "y/others"),
    ]
    assert levels(*tags) == [{"x/a", "x/b"}, {"x/c"}, {"x/d"}]


def test_reference_to_an_alias_counts() -> None:
    assert levels(tag("x/a", "x/other"), tag("x/b", aliases=("x/other",))) == [{"x/b"}, {"x/a"}]


def test_body_with_invalid_references_is_left_to_publishing() -> None:
    assert levels(tag("x/a", "No/Reference"), tag("x/b")) == [{"x/a", "x/b"}]


def test_shipped_catalogue_is_complete() -> None:
    shipped = [tag.name for tag in shipped_facts.every_tag()]
    assert sorted(
        t.name for level in sort_into_levels(shipped_facts.every_tag()) for t in level
    ) == (sorted(shipped))


@pytest.mark.parametrize(
    ("tags", "message"),
    [
        ([tag("x/a"), tag("x/a")], "the name x/a twice: in a.json and a.json"),
        ([tag("x/a"), tag("x/b", aliases=("x/a",))], "the name x/a twice: in a.json and b.json"),
        (
            [tag("x/a", "x/b"), tag("x/b", "x/a")],
            r"refer to each other: x/[ab] \([ab]\.json\), x/[ab] \([ab]\.json\)\.",
        ),
        ([tag("x/a", "x/a@1.0.0")], r"refer to each other: x/a \(a\.json\)\."),
    ],
)
def test_error_names_the_files(tags: list[ShippedTag], message: str) -> None:
    with pytest.raises(Refused, match=message):
        sort_into_levels(tags)
