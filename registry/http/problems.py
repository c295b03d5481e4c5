"""What each refusal means over HTTP: status, title and a sentence for people. The one place."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus

from registry.domain.errors import Code, Refused
from registry.http.rate_limits import RateLimited

# After how many seconds asking again may help, where a refusal passes by itself.
RETRY_AFTER = {
    Code.BUSY: 1,  # a write takes milliseconds
    Code.RATE_LIMITED: 3600,  # too many open proposals: people decide on them
}


@dataclass(frozen=True, slots=True)
class Problem:
    """How a code is answered."""

    status: HTTPStatus
    title: str
    meaning: str


PROBLEMS: dict[Code, Problem] = {
    Code.REFERENCE_INVALID: Problem(
        HTTPStatus.BAD_REQUEST,
        "Not a reference",
        "The text does not read namespace/name[:variant][@version].",
    ),
    Code.NAMESPACE_UNKNOWN: Problem(
        HTTPStatus.NOT_FOUND,
        "Unknown namespace",
        "Nobody owns this first segment yet; staff makes namespaces.",
    ),
    Code.TAG_UNKNOWN: Problem(
        HTTPStatus.NOT_FOUND,
        "Unknown tag",
        "No tag or alias has this name; the nearest ones are in suggestions.",
    ),
    Code.VERSION_UNKNOWN: Problem(
        HTTPStatus.NOT_FOUND,
        "Unknown version",
        "The tag exists, but no version of it that answers; some that do are in suggestions.",
    ),
    Code.DIGEST_UNKNOWN: Problem(
        HTTPStatus.NOT_FOUND, "Unknown digest", "No version has this content."
    ),
    Code.PROPOSAL_UNKNOWN: Problem(
        HTTPStatus.NOT_FOUND, "Unknown proposal", "No proposal has this number."
    ),
    Code.DRAFT_UNKNOWN: Problem(
        HTTPStatus.NOT_FOUND, "Unknown draft", "You have no draft at this address."
    ),
    Code.KIND_UNKNOWN: Problem(
        HTTPStatus.NOT_FOUND,
        "Unknown kind",
        "No kind has this name; the nearest ones are in suggestions.",
    ),
    Code.ROUTE_UNKNOWN: Problem(
        HTTPStatus.NOT_FOUND, "No such resource", "The API has no resource at this path."
    ),
    Code.METHOD_NOT_ALLOWED: Problem(
        HTTPStatus.METHOD_NOT_ALLOWED,
        "Method not allowed",
        "The resource answers other methods; see the Allow header.",
    ),
    Code.REQUEST_INVALID: Problem(
        HTTPStatus.BAD_REQUEST,
        "Not a valid request",
        "The request around the body lacks something or says too much; see errors.",
    ),
    Code.JSON_INVALID: Problem(
        HTTPStatus.BAD_REQUEST,
        "Not JSON",
        "Strict JSON is read: UTF-8, no duplicate keys, numbers that every reader agrees on.",
    ),
    Code.BODY_INVALID: Problem(
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "Not a valid body",
        "The body breaks rules; each is in errors with a JSON pointer and what was expected.",
    ),
    Code.PARENT_INVALID: Problem(
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "Not a valid parent",
        "A parent is yanked, or is no whole target where one is needed, or no mixin.",
    ),
    Code.CYCLE: Problem(
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "The tag would be made from itself",
        "Floating references of newest versions lead from this body back to its tag.",
    ),
    Code.TOO_LARGE: Problem(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "Too large",
        "A limit on bytes, references or nodes is passed; the detail says which.",
    ),
    Code.TOO_DEEP: Problem(
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "Too deep",
        "A limit on nesting or on the length of the lineage is passed; the detail says which.",
    ),
    Code.NOT_A_TARGET: Problem(
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "Not a target",
        "A mixin is a patch: it cannot stand where a target is needed.",
    ),
    Code.NODE_UNKNOWN: Problem(
        HTTPStatus.NOT_FOUND,
        "Unknown node",
        "The JSON pointer names no target inside the target; those there are stand in suggestions.",
    ),
    Code.NOTHING_CHANGED: Problem(
        HTTPStatus.CONFLICT,
        "Nothing changed",
        "Source, lineage and target are those of the newest version.",
    ),
    Code.CONFLICT: Problem(
        HTTPStatus.CONFLICT, "In conflict", "What is there already stands against the request."
    ),
    Code.PRECONDITION_REQUIRED: Problem(
        HTTPStatus.PRECONDITION_REQUIRED,
        "Precondition required",
        'Publishing needs If-Match: "<number last published>", or If-None-Match: * for the first.',
    ),
    Code.PRECONDITION_FAILED: Problem(
        HTTPStatus.PRECONDITION_FAILED,
        "Somebody was faster",
        "The tag is not in the state that the request expected.",
    ),
    Code.UNAUTHENTICATED: Problem(
        HTTPStatus.UNAUTHORIZED,
        "No valid token",
        "Writing needs Authorization: Bearer ttr_<prefix>_<secret>, in force.",
    ),
    Code.FORBIDDEN: Problem(
        HTTPStatus.FORBIDDEN,
        "Not allowed",
        "Who asks, or the token they ask with, may not do this here.",
    ),
    Code.RATE_LIMITED: Problem(
        HTTPStatus.TOO_MANY_REQUESTS,
        "Too many requests",
        "A limit on requests is passed; try again after Retry-After seconds.",
    ),
    Code.FILTER_INVALID: Problem(
        HTTPStatus.BAD_REQUEST,
        "Not a filter",
        "A filter, a condition or a cursor cannot be understood; see errors.",
    ),
    Code.FORMAT_UNKNOWN: Problem(
        HTTPStatus.NOT_ACCEPTABLE,
        "Unknown format",
        "No such format; those there are stand in suggestions.",
    ),
    Code.FORMAT_UNFIT: Problem(
        HTTPStatus.NOT_ACCEPTABLE,
        "Not a format for this target",
        "The format has no words for this target; the detail says what it would need.",
    ),
    Code.FORMAT_LOSSY: Problem(
        HTTPStatus.NOT_ACCEPTABLE,
        "The format would lose something",
        "With strict=1 nothing may be left out; what would be is in errors, by its JSON pointer.",
    ),
    Code.MEDIA_TYPE_UNSUPPORTED: Problem(
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        "Not JSON by its type",
        "Requests are sent as Content-Type: application/json.",
    ),
    Code.LENGTH_REQUIRED: Problem(
        HTTPStatus.LENGTH_REQUIRED,
        "Length required",
        "Requests say their Content-Length; a chunked one is not read.",
    ),
    Code.BUSY: Problem(
        HTTPStatus.SERVICE_UNAVAILABLE, "Busy", "Try again after Retry-After seconds."
    ),
    Code.INTERNAL: Problem(
        HTTPStatus.INTERNAL_SERVER_ERROR,
        "A fault of the registry",
        "The request was in order; the registry failed. It is logged.",
    ),
}


def retry_after(refusal: Refused) -> int | None:
    """Return the seconds after which a refused request may pass; None where waiting is no help."""
    if isinstance(refusal, RateLimited):
        return refusal.seconds
    return RETRY_AFTER.get(refusal.code)
