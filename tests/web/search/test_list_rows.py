"""Rows of lists: families stand for their members, and nothing is left out or repeated."""

from hypothesis import given, strategies as st

from registry.models import Entry
from registry.services.search.list_facts import ListedFacts
from registry.web.search.list_rows import FamilyRow, ListTable, list_table

FAMILIES = ("acme/a", "acme/b", "acme/c")
# Each tag is of one of the families or of none; families are among the tags, in any order.
tags = st.lists(st.sampled_from(("", *FAMILIES)), max_size=12).flatmap(
    lambda families: st.permutations([*enumerate(families), *((name, "") for name in FAMILIES)])
)


def entry(key: int, name: object) -> Entry:
    made = Entry(pk=key, text=name if isinstance(name, str) else f"acme/{name}", kind="cuda")
    made.is_family = isinstance(name, str)
    return made


def names_of(table: ListTable) -> list[str]:
    """Return the tags that a table has, members after the family that stands for them."""
    names = []
    for row in table.rows:
        members = row.members if isinstance(row, FamilyRow) else (row,)
        names += [member.entry.text for member in members]
    return names


def heads_of(table: ListTable) -> list[str]:
    return [row.family for row in table.rows if isinstance(row, FamilyRow)]


@given(tags, st.integers(1, 8))
def test_pages_with_folded_families_have_every_tag_once(
    rows: list[tuple[object, str]], size: int
) -> None:
    entries = [entry(key, name) for key, (name, _) in enumerate(rows)]
    facts = {key: ListedFacts(family=family) for key, (_, family) in enumerate(rows)}
    seen: list[str] = []
    for start in range(0, len(entries), size):
        page = entries[start : start + size]
        table = list_table(page, facts, folds_families=True)
        listed, heads = names_of(table), heads_of(table)
        assert len(heads) == len({*heads})
        folded_here = [each.text for each in page if each.is_family and each.text in heads]
        assert sorted([*listed, *folded_here]) == sorted(each.text for each in page)
        seen += [*listed, *folded_here]
    assert sorted(seen) == sorted(each.text for each in entries)


def test_one_member_on_a_page_stands_for_itself() -> None:
    entries = [entry(0, "acme/a"), entry(1, 1)]
    facts = {0: ListedFacts(), 1: ListedFacts(family="acme/a")}
    table = list_table(entries, facts, folds_families=True)
    assert (heads_of(table), names_of(table)) == ([], ["acme/a", "acme/1"])


def test_members_stand_in_the_place_of_the_first() -> None:
    entries = [entry(0, 0), entry(1, 1), entry(2, 2), entry(3, 3)]
    facts = {key: ListedFacts(family="acme/a" if key in (1, 3) else "") for key in range(4)}
    table = list_table(entries, facts, folds_families=True)
    assert names_of(table) == ["acme/0", "acme/1", "acme/3", "acme/2"]
