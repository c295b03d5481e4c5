"""Links that change the filters of a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Parameter: TypeAlias = tuple[str, str]  # its name and its value


@dataclass(frozen=True, slots=True)
class FilterLink:
    """A link that changes a query; `is_selected` if the query already has that part."""

    text: str
    url: str
    is_selected: bool = False
    label: str = ""
    count: str = ""
