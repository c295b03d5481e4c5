"""GET runs-on/<built for>...<machine> and POST runs-on: does code for one run on the other."""

from __future__ import annotations

import json
from functools import partial

from django.http import HttpResponse
from rest_framework.request import Request

from registry.api.core.openapi_schema import REFERENCE_CODES, in_path, operation, query
from registry.api.core.request_bodies import RequestBody
from registry.api.core.resource import Resource
from registry.api.versions.runs_on_serializers import JudgementSerializer
from registry.api.versions.target_requests import BODY, OBJECT
from registry.domain.document import MAX_BYTES
from registry.domain.errors import Code
from registry.domain.reference import PAIR_EXPECTED, Pair, Reference
from registry.http import compatibility_options, patterns, request_members
from registry.http.caching import CachePolicy, version_policy
from registry.http.compatibility_options import EXPECTED, SCHEMAS, SHIPS
from registry.services.versions import compatibility
from registry.services.versions.compatibility import Side
from ttag_rules.names import MAX_REFERENCE

REFERENCE_OR_BODY = {
    "oneOf": [
        {"type": "string", "pattern": patterns.REFERENCE, "maxLength": MAX_REFERENCE},
        OBJECT,
    ]
}
# Errors in a body that is resolved and checked, and belongs to no tag.
RESOLUTION_CODES = (Code.BODY_INVALID, Code.PARENT_INVALID, Code.NOT_A_TARGET, Code.OPTION_UNSAFE)
SIDES = {
    "built_for": f"what the code was built for: a reference, or {BODY}",
    "machine": "the machine that is to run it, in the same way",
}
RUNS_ON = RequestBody(
    "RunsOnRequest",
    "Two targets: what code was built for, and the machine that is to run it.",
    {
        **{
            name: request_members.unparsed(REFERENCE_OR_BODY, help_text=text)
            for name, text in SIDES.items()
        },
        "options": compatibility_options.options_member(),
    },
    max_bytes=3 * MAX_BYTES,
)


OPTION_PARAMETERS = [
    query(
        name,
        text,
        type=SCHEMAS[name],
        **({"style": "form", "explode": False} if name == SHIPS else {}),
    )
    for name, text in EXPECTED.items()
]


class RunsOn(Resource):
    """The verdict about two versions."""

    @operation(
        "runs_on",
        "Whether code built for one version runs on the machine of another",
        JudgementSerializer,
        *REFERENCE_CODES,
        parameters=[
            in_path(
                "pair",
                {"type": "string", "pattern": patterns.PAIR},
                PAIR_EXPECTED,
                "a build and a machine",
                "aws/c7i@1...intel/core-i7-4770@1",
            ),
            *OPTION_PARAMETERS,
        ],
    )
    def get(self, request: Request, pair: Pair) -> HttpResponse:
        """Return whether code built for the first version runs on the machine of the second."""
        options = compatibility_options.read_query(request.query_params.dict())
        judgement = compatibility.judge_pair(pair, options)
        resolutions = [judgement.built_for.resolution, judgement.machine.resolution]
        is_exact = not any(each and (each.is_floating or each.is_alias) for each in resolutions)
        return self.answer(JudgementSerializer, judgement, policy=version_policy(is_exact=is_exact))


class RunsOnTargets(Resource):
    """The verdict about two targets, each of a version or a body. Nothing is stored."""

    reads_by_post = True

    @operation(
        "runs_on_targets",
        "Whether code built for one target runs on the machine of another",
        JudgementSerializer,
        *REFERENCE_CODES,
        *RESOLUTION_CODES,
        request=RUNS_ON,
    )
    def post(self, request: Request) -> HttpResponse:
        """Return whether code built for one target runs on the machine of another."""
        values = RUNS_ON.read(request)
        sides = request_members.read_all({name: partial(_side, values[name]) for name in SIDES})
        judgement = compatibility.judge(**sides, options=values["options"])
        return self.answer(JudgementSerializer, judgement, policy=CachePolicy.NO_STORE)


def _side(text: str) -> Side:
    """Return the target that a reference or a body names. Raises `Refused`."""
    if text.lstrip().startswith('"'):
        return compatibility.resolve_reference(Reference.parse(json.loads(text)))
    return compatibility.resolve_body(text)
