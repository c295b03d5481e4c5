"""The home page: what the registry is, and ways into its tags."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from registry.domain.reference import Reference
from registry.services.core.memory_cache import cache
from registry.services.event_log.appending import last_event_number
from registry.services.events.event_verbs import verb
from registry.services.events.recent_changes import RecentChange, recent_changes
from registry.services.search import facets
from registry.services.search.facets import count_categories
from registry.services.search.orders import top_tags
from registry.services.tags import detail
from registry.web.core.json_blocks import HighlightedCode, format_json, highlight
from registry.web.search.list_query import list_url
from registry.web.search.tasks import tasks
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


@dataclass(frozen=True, slots=True)
class Overview:
    """The parts of the home page about the whole registry, which stay until the next write."""

    tag_count: int
    is_capped: bool  # there are more tags than were counted
    tasks: list[dict[str, Any]]
    vendors: list[tuple[str, VendorMark, int, str]]  # with the number of tags and their list
    changes: list[tuple[RecentChange, str, str]]  # of an account on one day, with a verb and a noun
    examples: list[tuple[str, str, str]]  # tags with their description and summary
    response: HighlightedCode | None  # the target of SNIPPET_TAG, if there is such a tag


def introduction(request: HttpRequest) -> dict[str, Any]:
    """Return the context of the home page. Three queries, and seven more after a write."""
    overview = cache.get_or_compute((__name__, last_event_number()), _overview)
    return {
        "overview": overview,
        "most_used": top_tags(MAX_TAGS),
        "snippet_tag": SNIPPET_TAG,
        "snippet": curl(request, SNIPPET_TAG, "target") if overview.response else "",
    }


def _overview() -> Overview:
    all_groups, is_capped = facets.count_groups({})
    groups, _ = facets.split_groups(all_groups, {})
    targets = detail.target_texts([Reference.parse(text) for text in EXAMPLES])
    decoded = {tag: json.loads(target) for tag, target in targets.items()}
    response = decoded.get(SNIPPET_TAG)
    return Overview(
        sum(group[-1] for group in groups),
        is_capped,
        tasks(count_categories()),
        [
            (
                vendor.value,
                VendorMark.of(vendor.value),
                vendor.count,
                list_url([("vendor", vendor.value)]),
            )
            for vendor in facets.count_facets(groups)["vendor"][:MAX_VENDORS]
        ],
        [
            (change, verb(change.action), change.action.partition(".")[0])
            for change in recent_changes(MAX_CHANGES)
        ],
        [
            (tag, description, summary(decoded[tag]))
            for tag, description in EXAMPLES.items()
            if tag in decoded
        ],
        highlight(format_json(response)) if response else None,
    )
