"""Names by which people and tools call boards, chips and devices."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from catalogue_tools.facts import cached, read_table

TABLES = ("names/devices", "lineageos/names")
AMBIGUOUS = "names/ambiguous"


def tag_of(name: str) -> str | None:
    """Return the tag that a name stands for, None if it stands for none or for several."""
    tags = meanings().get(" ".join(name.casefold().split()), ())
    return tags[0] if len(tags) == 1 else None


# Decision 142: a name resolves only if it stands for one tag for good.
@cached
def meanings() -> Mapping[str, tuple[str, ...]]:
    """Return the tags that each name stands for; none for a name that people use too widely."""
    tags: dict[str, dict[str, None]] = defaultdict(dict)
    for table in TABLES:
        for row in read_table(table).rows:
            for name in (*row.get("names", ()), *row.get("technical", ())):
                tags[name][row["tag"]] = None
    single = {name: tuple(stated) for name, stated in tags.items()}
    return {**single, **{row["name"]: () for row in read_table(AMBIGUOUS).rows}}


def shared_name(tag: str) -> str:
    """Return why the name of a tag's product means others as well, as a sentence; else empty."""
    rows = (row for row in read_table(AMBIGUOUS).rows if row["tags"] == [tag])
    reason: str = next((row["reason"] for row in rows), "")
    return f"{reason[:1].upper()}{reason[1:]}"
