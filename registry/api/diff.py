"""GET diff/<reference>...<reference>: what differs between two versions, and what it means."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from registry.api import answers
from registry.api.base import Resource
from registry.api.described import exploring as described
from registry.api.summaries import change
from registry.domain.diff import Key, Keys
from registry.domain.reference import Pair
from registry.http.caching import version_policy
from registry.services.choosing import Choice
from registry.services.reading import comparing
from registry.services.resolving import ACTIVE, YANKED


class Diff(Resource):
    """Two versions, of one tag or of two, compared leaf by leaf."""

    @extend_schema(**described.DIFF)
    def get(self, request: Request, pair: Pair) -> HttpResponse:
        """What it would mean to go from the one version to the other."""
        found = comparing.compare(pair)
        shown = {
            "old": _side(found.old),
            "new": _side(found.new),
            "bump": found.bump,
            "changes": [change(each) for each in found.changes],
            "tuning_keys": _keys(found.keys),
        }
        moves = any(side.is_floating or side.is_alias for side in (found.old, found.new))
        policy = version_policy(is_exact=not moves)
        return answers.of_json(request._request, shown, policy=policy)


def _side(choice: Choice) -> dict[str, Any]:
    return {
        "reference": str(choice.reference),
        "exact": choice.exact,
        "digest": choice.version.digest,
        "status": YANKED if choice.version.yanked else ACTIVE,
    }


def _keys(keys: Keys) -> dict[str, Any]:
    shown = {"kept": keys.kept, "lost": keys.lost, "new": keys.new}
    return {name: [_key(key) for key in found] for name, found in shown.items()}


def _key(key: Key) -> dict[str, Any]:
    return {"key": key.key, "count": key.count, "old": list(key.old), "new": list(key.new)}
