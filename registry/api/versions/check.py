"""POST check: a dry run of publishing."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from registry.api.core import request_bodies
from registry.api.core.openapi_schema import operation, query
from registry.api.core.permissions import actor_of
from registry.api.core.resource import Resource
from registry.api.core.throttling import CheckThrottle
from registry.api.versions import target_requests
from registry.api.versions.verdict_serializers import VerdictSerializer
from registry.api.versions.verdicts import IMPACT, NEAR, TUNING, DryRun
from registry.domain.errors import Code, Refused, refuse_all
from registry.http.caching import CachePolicy
from registry.services.versions import checking, impact, near_duplicates

EXTRAS = (IMPACT, NEAR, TUNING)  # optional parts of a verdict, which are long to compute or read
MAX_EFFECTS = 1000
MAX_EFFECTS_WITHOUT_TOKEN = 20  # effects are expensive to compute


class Check(Resource):
    """A dry run: it needs no token, and returns 200 for valid and invalid bodies."""

    reads_by_post = True
    throttle_classes = (CheckThrottle,)

    @operation(
        "check",
        "Check a body without publishing it",
        VerdictSerializer,
        Code.FORMAT_UNKNOWN,
        parameters=[
            query(
                "include",
                f"optional parts of the verdict, separated by commas: {', '.join(EXTRAS)}",
                type={"type": "array", "items": {"type": "string", "enum": list(EXTRAS)}},
                style="form",
                explode=False,
            )
        ],
        request=target_requests.CHECK,
    )
    # Decision 007: 200 also for a body that cannot be parsed: its faults are the answer.
    def post(self, request: Request) -> HttpResponse:
        """Check a body as if it were published now."""
        include = _parse_include(request.query_params.get("include", ""))
        values = target_requests.CHECK.read(request)
        max_effects = MAX_EFFECTS if actor_of(request) else MAX_EFFECTS_WITHOUT_TOKEN
        imported = None
        try:
            imported = target_requests.imported(values)
            source = imported.text if imported else values["target"]
            draft = checking.check(values["tag"], source, is_family=values["family"])
            run = DryRun(
                draft,
                lints=draft.lints,
                imported=imported,
                include=include,
                impact=(
                    impact.compute_impact(draft, limit=max_effects) if IMPACT in include else None
                ),
                near=near_duplicates.find_near_duplicates(draft) if NEAR in include else None,
                tuning=checking.find_preimages(draft) if TUNING in include else None,
            )
        except Refused as refusal:
            run = DryRun(refusal=refusal, imported=imported, include=include)
        return self.answer(VerdictSerializer, run, policy=CachePolicy.NO_STORE)


def _parse_include(text: str) -> list[str]:
    """Return the requested extras. Raises `Refused` (REQUEST_INVALID)."""
    names = [name for name in text.split(",") if name]
    expected = f"any of {', '.join(EXTRAS)}, separated by commas"
    refuse_all(
        request_bodies.unknown_name("part of a verdict", name, EXTRAS, expected=expected)
        for name in names
        if name not in EXTRAS
    )
    return names
