"""Parsing of requests about proposals."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request

from registry.actions.fields import remark, seen_revision
from registry.api.core.openapi_schema import NUMBER, number_in_path
from registry.api.core.permissions import actor_of
from registry.api.core.request_bodies import RequestBody
from registry.api.versions import target_requests
from registry.domain.errors import Code, Refused, echo
from registry.domain.reference import Tag as TagName
from registry.http import request_members
from registry.http.request_members import Member
from registry.services.core import permissions
from registry.services.proposals import submission, timeline

NUMBER_IN_PATH = number_in_path("proposal")

CURRENT = object()  # the base that is not stated: the last published version
SUBMITTED: dict[str, Member] = {
    **target_requests.target_members(target_requests.OBJECT),
    **target_requests.CREDITS,
    "base": request_members.number_or_null(
        default=CURRENT,
        help_text=("the last published version when this was written; by default, the current one"),
    ),
}
PROPOSE = RequestBody(
    "ProposeRequest",
    "A proposal for a tag.",
    {**SUBMITTED, "tag": request_members.tag_name()},
    rule=target_requests.mixed_faults,
    keywords=target_requests.EITHER,
)
REVISE = RequestBody(
    "ReviseRequest",
    "A new revision of a proposal.",
    {
        **SUBMITTED,
        "revision": seen_revision(),
        "text": remark(required=False),
    },
    rule=target_requests.mixed_faults,
    keywords=target_requests.EITHER,
)


def read_submission(values: dict[str, Any], tag: TagName) -> dict[str, Any]:
    """Return the submitted body; without a base, the base is the last published version."""
    return {
        "source": target_requests.body_text(values),
        "message": values["message"],
        "sources": values["sources"],
        "base": submission.last_published(tag) if values["base"] is CURRENT else values["base"],
    }


def proposal_number(text: str) -> int:
    """Return the number of the proposal in a path. Raises `Refused` (PROPOSAL_UNKNOWN)."""
    if not NUMBER.fullmatch(text):
        raise Refused(Code.PROPOSAL_UNKNOWN, f"There is no proposal {echo(text) or '(empty)'}.")
    return int(text)


def proposed_tag(request: Request, number: str) -> TagName:
    """Return the tag of the proposal that a path names.

    Raises `Refused` (UNAUTHENTICATED, PROPOSAL_UNKNOWN): clients without a token do not learn
    whether the proposal exists.
    """
    permissions.authenticated(actor_of(request))
    return TagName.parse(timeline.find_proposal(proposal_number(number)).tag)
