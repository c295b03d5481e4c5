"""PUT aliases/<alias>: create an alias or change its target."""

from __future__ import annotations

import re
from typing import Any

from rest_framework.request import Request

from registry.actions import aliases
from registry.api.core.action_resource import ActionResource
from registry.api.core.openapi_schema import CHANGE_CODES, header, in_path
from registry.api.core.resource import name_of
from registry.api.tags.serializers import AliasSerializer
from registry.domain.errors import Code, Refused, echo
from registry.domain.reference import Reference
from registry.http import patterns
from ttag_rules.names import MAX_TAG

REFERENCE_ETAG = re.compile(r'"([!#-~]+)"')  # an entity tag: the current target of the alias


class AliasActions(ActionResource):
    """An alternative name for a tag or one of its versions."""

    subject_type = aliases.ALIAS
    path = "aliases/<reference:alias>"
    url_name = "alias"
    method = "put"
    serializer = AliasSerializer
    codes = CHANGE_CODES
    described = (
        in_path(
            "alias",
            {"type": "string", "maxLength": MAX_TAG, "pattern": patterns.ALIAS},
            "printable ASCII without @ ? # % \\, starting with a namespace",
            "an alias",
            "acme/GPU,latest",
        ),
        header("If-Match", '"<current target of the alias>"'),
        header("If-None-Match", "*, to only create an alias"),
    )
    created = "alias"

    def subjects(self, alias: Reference) -> tuple[Reference]:
        """Return the alias. Raises `Refused` (REFERENCE_INVALID) if the path names a version."""
        name_of(alias)
        return (alias,)

    def name_of(self, alias: Reference) -> str:
        """Return the text of the alias."""
        return alias.text

    def conditions(self, request: Request) -> dict[str, Any]:
        """Return the expected target."""
        return {"expected": _expected_target(request)}


def _expected_target(request: Request) -> str | None:
    """Return the expected target: empty for a new alias, None without a precondition.

    Raises `Refused` (PRECONDITION_FAILED) for preconditions that no alias can meet.
    """
    match, none_match = request.headers.get("If-Match"), request.headers.get("If-None-Match")
    if match is None and none_match is None:
        return None
    if match is None and none_match == "*":
        return ""
    quoted = REFERENCE_ETAG.fullmatch((match or "").strip())
    if quoted is None or none_match is not None:
        raise Refused(
            Code.PRECONDITION_FAILED,
            f"{echo(match or none_match)} is not a valid precondition: If-Match takes the alias's "
            'current target, such as "acme/board@1"; If-None-Match takes *.',
        )
    return quoted[1]
