"""The purposes that people build for, each with its list of tags, for the home page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from registry.domain.descriptions.descriptions import CATEGORIES
from registry.domain.search.conditions import SEPARATOR
from registry.web.search.tag_list import IN_CATEGORY, list_url

TASKS: Mapping[str, tuple[str, tuple[str, ...]]] = {  # by icon: the title, the categories
    "gpu": ("GPU", ("gpu", "npu")),
    "cpu": ("CPU", ("server-cpu", "desktop-cpu", "laptop-cpu", "cpu-core")),
    "microcontroller": ("Microcontroller", ("microcontroller", "microcontroller-board")),
    "phone": ("Phone, tablet or computer", ("phone", "tablet", "laptop", "desktop")),
    "board": ("Board", ("board", "module", "soc")),
    "cloud": ("Cloud", ("cloud-instance",)),
}


def tasks(counts: Mapping[str, int]) -> list[dict[str, Any]]:
    """Return what people build for, if it has tags; `counts` are numbers of tags by category.

    Tasks and their categories have the number of their tags and the URL of their list.
    """
    return [
        {
            "icon": icon,
            "title": title,
            "count": sum(counts.get(category, 0) for category in categories),
            "url": _url(*categories),
            "categories": [
                (CATEGORIES[category][1], counts[category], _url(category))
                for category in categories
                if category in counts
            ],
        }
        for icon, (title, categories) in TASKS.items()
        if any(category in counts for category in categories)
    ]


def _url(*categories: str) -> str:
    """Return the URL of the list of tags in some categories."""
    return list_url([("where", f"{IN_CATEGORY}{SEPARATOR.join(categories)}")])
