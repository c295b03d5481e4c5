"""POST check: a dry run of publishing."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from registry.api.core import request_bodies
from registry.api.core.openapi_schema import operation, query
from registry.api.core.permissions import actor_of
from registry.api.core.request_serializers import CheckRequestSerializer
from registry.api.core.resource import Resource
from registry.api.core.throttling import CheckThrottle
from registry.api.versions import request_targets
from registry.api.versions.verdict_serializers import VerdictSerializer
from registry.api.versions.verdicts import IMPACT, NEAR, DryRun
from registry.domain.errors import Code, Refused, refuse_all
from registry.domain.reference import Tag as TagName
from registry.http.caching import Policy
from registry.services.versions import checking, impact, near_duplicates

FURTHER = (IMPACT, NEAR)  # what a verdict can include, each at its price
ROWS = 1000  # effects that a verdict holds
ROWS_WITHOUT_TOKEN = 20  # a look, not a crawl


class Check(Resource):
    """A dry run: no token, and 200 for every readable request, valid or not."""

    reads_by_post = True
    throttle_classes = (CheckThrottle,)
    parameters = frozenset({"include"})

    @operation(
        "check",
        "What publishing a body would do",
        VerdictSerializer,
        Code.FORMAT_UNKNOWN,
        parameters=[
            query(
                "include",
                "impact, near or both with a comma between: what else the verdict holds",
                type={"type": "array", "items": {"type": "string", "enum": list(FURTHER)}},
                style="form",
                explode=False,
            )
        ],
        request=CheckRequestSerializer,
    )
    def post(self, request: Request) -> HttpResponse:
        """Check a body as if it were published now."""
        include = _included(request.query_params.get("include", ""))
        members = request_bodies.read(request._request, CheckRequestSerializer)
        request_targets.refuse_mixed(members)
        tag = TagName.parse(members["tag"])
        importer = request_targets.importer(members)
        rows = ROWS if actor_of(request) else ROWS_WITHOUT_TOKEN
        imported = None
        try:
            imported = request_targets.read(importer, members) if importer else None
            draft = checking.check(tag, imported.text if imported else members["target"])
            run = DryRun(
                draft,
                lints=draft.lints,
                imported=imported,
                include=include,
                impact=impact.compute_impact(draft, limit=rows) if IMPACT in include else None,
                near=near_duplicates.find_near_duplicates(draft) if NEAR in include else None,
            )
            return self.answer(VerdictSerializer, run, policy=Policy.NO_STORE)
        except Refused as refusal:
            run = DryRun(refusal=refusal, imported=imported, include=include)
            return self.answer(VerdictSerializer, run, policy=Policy.NO_STORE)


def _included(text: str) -> list[str]:
    """Return the requested extras. Raises `Refused` (REQUEST_INVALID)."""
    names = [name for name in text.split(",") if name]
    expected = f"any of {', '.join(FURTHER)}, with commas between"
    refuse_all(
        request_bodies.unknown_name("part of a verdict", name, FURTHER, expected=expected)
        for name in names
        if name not in FURTHER
    )
    return names
