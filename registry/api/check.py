"""POST check: what publishing would do, without doing it."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from registry.api import answers, bodies
from registry.api.base import Resource
from registry.api.described import publishing as described
from registry.api.problems import shown
from registry.domain.diff import Change
from registry.domain.errors import Fault, Refused
from registry.domain.reference import Tag as TagName
from registry.domain.tree import Leaf
from registry.services import checking
from registry.services.drafting import Draft


class Check(Resource):
    """A dry run. No token; 200 for every request that can be read, valid or not."""

    @extend_schema(**described.CHECK)
    def post(self, request: Request) -> HttpResponse:
        """Check a body as if it were published now."""
        said = bodies.members(request._request, required=("tag", "target"))
        tag = TagName.parse(bodies.text_of(said, "tag"))
        try:
            verdict = _valid(checking.check(tag, said["target"]))
        except Refused as refusal:
            verdict = _invalid(refusal)
        return answers.of_json(request._request, verdict, caching="no-store")


def _valid(draft: Draft) -> dict[str, Any]:
    return {
        "valid": True,
        "errors": [],
        "target": json.loads(draft.resolution.text),
        "digest": draft.digest,
        "tuning_keys": dict(draft.tuning_keys),
        "version": str(draft.number) if draft.number else None,
        "bump": draft.bump,
        "diff": [change(found) for found in draft.diff],
        "lints": [shown(lint) for lint in draft.lints],
        "notes": [],
    }


def _invalid(refusal: Refused) -> dict[str, Any]:
    whole = Fault("", refusal.code, refusal.detail, suggestions=refusal.suggestions)
    nothing = dict.fromkeys(("target", "digest", "tuning_keys", "version", "bump"))
    return {
        "valid": False,
        "errors": [shown(fault) for fault in refusal.faults or (whole,)],
        **nothing,
        "diff": [],
        "lints": [],
        "notes": [],
    }


def change(found: Change) -> dict[str, Any]:
    """One changed leaf as JSON; a side that lacks it has no `value`."""
    return {
        "pointer": found.pointer,
        "old": _side(found.old),
        "new": _side(found.new),
        "consumers": list(found.consumers),
        "affects_tuning": found.affects_tuning,
    }


def _side(leaf: Leaf | None) -> dict[str, Any] | None:
    return None if leaf is None else {"value": leaf.value, "from": leaf.origin}
