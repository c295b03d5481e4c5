"""The home page: what the registry is, and ways into its tags."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest

from registry.domain.descriptions.descriptions import CATEGORIES
from registry.domain.reference import Reference
from registry.domain.search.conditions import SEPARATOR
from registry.services.core.memory_cache import cache
from registry.services.event_log.appending import last_event_number
from registry.services.events.event_verbs import verb
from registry.services.events.recent_changes import recent_changes
from registry.services.search import facets
from registry.services.search.orders import top_tags
from registry.services.tags import detail
from registry.web.core.json_blocks import format_json, highlight
from registry.web.search.list_query import IN_CATEGORY, list_url
from registry.web.search.vendor_marks import VendorMark
from registry.web.versions.snippets import curl
from registry.web.versions.summary import summary

MAX_TAGS = 6  # of the most used
MAX_CHANGES = 6
MAX_VENDORS = 16  # four rows of four
EXAMPLES = {  # one for each type of machine
    "aws/c4.4xlarge": "a machine in a data centre",
    "nvidia/jetson-nano:cuda": "a board: its GPU and the CPU that drives it",
    "arm/soc:aot": "a microcontroller, compiled ahead of time",
}
SNIPPET_TAG = "arm/soc:aot"  # the shortest example
TASKS: Mapping[str, tuple[str, tuple[str, ...]]] = {  # by icon: the title, the categories
    "gpu": ("GPU or NPU", ("gpu", "npu")),
    "cpu": ("CPU", ("server-cpu", "desktop-cpu", "laptop-cpu", "cpu-core")),
    "microcontroller": ("Microcontroller", ("microcontroller", "microcontroller-board")),
    "phone": ("Phone, tablet or computer", ("phone", "tablet", "laptop", "desktop")),
    "board": ("Board", ("board", "module", "soc")),
    "cloud": ("Cloud", ("cloud-instance",)),
}


def introduction(request: HttpRequest) -> dict[str, Any]:
    """Return the context of the home page. Three queries, and seven more after a write."""
    overview = cache.get_or_compute((__name__, last_event_number()), _overview)
    return {
        "overview": overview,
        "most_used": top_tags(MAX_TAGS),
        "snippet_tag": SNIPPET_TAG,
        "snippet": curl(request, f"{SNIPPET_TAG}@1", "target") if overview["response"] else "",
    }


def _overview() -> dict[str, Any]:
    """Return the parts of the page about the whole registry, which stay until the next write."""
    all_groups, is_capped = facets.count_groups({})
    groups, _ = facets.split_groups(all_groups, {})
    targets = detail.target_texts([Reference.parse(text) for text in EXAMPLES])
    decoded = {tag: json.loads(target) for tag, target in targets.items()}
    response = decoded.get(SNIPPET_TAG)
    return {
        "tag_count": facets.count_tags(groups),
        "is_capped": is_capped,
        "tasks": _tasks(facets.count_categories()),
        "vendors": [
            (name.value, VendorMark.of(name.value), name.count, list_url([("vendor", name.value)]))
            for name in facets.count_facets(groups)["vendor"][:MAX_VENDORS]
        ],
        "changes": [
            (change, verb(change.action), change.action.partition(".")[0])
            for change in recent_changes(MAX_CHANGES)
        ],
        "examples": [
            (tag, description, summary(decoded[tag]))
            for tag, description in EXAMPLES.items()
            if tag in decoded
        ],
        "response": highlight(format_json(response)) if response else None,
    }


def _tasks(counts: Mapping[str, int]) -> list[dict[str, Any]]:
    """Return what people build for, if it has tags; `counts` are numbers of tags by category.

    Tasks and their categories have the number of their tags and the URL of their list.
    """
    return [
        {
            "icon": icon,
            "title": title,
            "count": sum(counts.get(category, 0) for category in categories),
            "url": _category_url(*categories),
            "categories": [
                (CATEGORIES[category][1], counts[category], _category_url(category))
                for category in categories
                if category in counts
            ],
        }
        for icon, (title, categories) in TASKS.items()
        if any(category in counts for category in categories)
    ]


def _category_url(*categories: str) -> str:
    """Return the URL of the list of tags in some categories."""
    return list_url([("where", f"{IN_CATEGORY}{SEPARATOR.join(categories)}")])
