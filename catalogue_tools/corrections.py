"""Corrects single facts of generated tags, by a table of judgements that no refresh touches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from catalogue_tools.facts import Row, read_table
from catalogue_tools.hardware import group_of
from catalogue_tools.tags import GeneratedTag
from registry.domain.document import Json
from registry.domain.kinds.hardware import SOURCES, hardware_of
from registry.domain.kinds.kinds import HARDWARE
from ttag_rules.nodes import APPEND

TABLE = "corrections/facts"
ABSENT = object()


def correct_facts(tags: Iterable[GeneratedTag]) -> tuple[list[GeneratedTag], list[str]]:
    """Return the tags as the table corrects them, and a sentence for each row that is no use.

    A row has a tag, a hardware fact, its value (null: left out), the reason, and the page that
    shows it. It is no use if there is no such tag, or the tag states the value anyway.
    """
    rows: dict[str, list[Row]] = defaultdict(list)
    for row in read_table(TABLE).rows:
        rows[row["tag"]].append(row)
    corrected, problems = [], []
    for tag in tags:
        result = tag
        for row in rows.pop(tag.name, ()):
            if hardware_of({**result.body}).get(row["fact"], ABSENT) == row["value"]:
                problems.append(f"{TABLE}: {tag.name} states this {row['fact']} without it.")
            result = _corrected(result, row)
        corrected.append(result)
    problems += [f"{TABLE}: {name} is no generated tag." for name in rows]
    return corrected, problems


def _corrected(tag: GeneratedTag, row: Row) -> GeneratedTag:
    facts, fact, value = {**hardware_of({**tag.body})}, row["fact"], row["value"]
    stated = facts.pop(SOURCES, None)
    pages: dict[str, Json] = {**stated} if isinstance(stated, dict) else {}
    is_own = facts.pop(fact, ABSENT) is not ABSENT
    group = group_of(fact)
    others = [name for name in facts if group_of(name) == group]
    if value is not None or not is_own:  # null takes back what the tag inherits
        facts[fact] = value
    if value is not None:
        pages[group] = _joined(pages.get(group) if others else None, row["source"])
    elif not others:
        pages.pop(group, None)
    reason = f"{tag.correction.rstrip('.')}. {row['reason']}" if tag.correction else row["reason"]
    return replace(
        tag,
        body={**tag.body, HARDWARE: {**facts, SOURCES: pages}},
        correction=reason,
        sources=tuple(dict.fromkeys((*tag.sources, row["source"]))),
    )


def _joined(pages: Json, page: str) -> Json:
    """Return the pages of a group of facts with one that may be another."""
    if isinstance(pages, dict):
        return {APPEND: _joined(pages.get(APPEND), page)}
    others = pages if isinstance(pages, list) else []
    return [*others, page] if page not in others else others
