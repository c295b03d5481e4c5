"""The HTTP status, title and description of each error code."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus

from registry.domain.errors import Code, Refused
from registry.http.rate_limits import RateLimited

# Seconds after which a retry may succeed.
RETRY_AFTER = {
    Code.BUSY: 1,  # a write takes milliseconds
    Code.STORAGE_FULL: 60,  # somebody must make room
    Code.READ_ONLY: 60,  # somebody must change the database
    Code.STORAGE_DAMAGED: 60,  # somebody must restore a backup
    Code.LOG_UNAVAILABLE: 60,  # an operator must act
    Code.RATE_LIMITED: 3600,  # too many open proposals or requests: somebody must decide first
}

# Errors in a body that is published or proposed.
BODY_CODES = (
    Code.BODY_INVALID,
    Code.PARENT_INVALID,
    Code.CYCLE,
    Code.NOT_A_TARGET,
    Code.OPTION_UNSAFE,
    Code.NOTHING_CHANGED,
    Code.CONFLICT,
    Code.PRECONDITION_FAILED,
)


# Decision 009: `type` is relative, as a registry behind a proxy may not know its host name.
@dataclass(frozen=True, slots=True)
class Problem:
    """The HTTP status and texts of an error code."""

    status: HTTPStatus
    title: str
    meaning: str


PROBLEMS: dict[Code, Problem] = {
    Code.REFERENCE_INVALID: Problem(
        HTTPStatus.BAD_REQUEST,
        "Invalid reference",
        "A reference has the form namespace/name[:variant][@version].",
    ),
    Code.NAMESPACE_UNKNOWN: Problem(
        HTTPStatus.NOT_FOUND,
        "Unknown namespace",
        "No namespace has this name; anybody with an account can ask for one.",
    ),
    Code.TAG_UNKNOWN: Problem(
        HTTPStatus.NOT_FOUND,
        "Unknown tag",
        "No tag or alias has this name; the nearest ones are in suggestions.",
    ),
    Code.VERSION_UNKNOWN: Problem(
        HTTPStatus.NOT_FOUND,
        "Unknown version",
        "The tag has no version that matches; some of its versions are in suggestions.",
    ),
    Code.DIGEST_UNKNOWN: Problem(
        HTTPStatus.NOT_FOUND, "Unknown digest", "No version has this content."
    ),
    Code.PROPOSAL_UNKNOWN: Problem(
        HTTPStatus.NOT_FOUND, "Unknown proposal", "No proposal has this number."
    ),
    Code.README_UNKNOWN: Problem(
        HTTPStatus.NOT_FOUND,
        "Unknown README",
        "The namespace has no README, or none of its revisions has this number.",
    ),
    Code.NAMESPACE_REQUEST_UNKNOWN: Problem(
        HTTPStatus.NOT_FOUND, "Unknown request", "No request for a namespace has this number."
    ),
    Code.USER_UNKNOWN: Problem(
        HTTPStatus.NOT_FOUND, "Unknown account", "No open account has this name."
    ),
    Code.DRAFT_UNKNOWN: Problem(
        HTTPStatus.NOT_FOUND, "Unknown draft", "You have no draft with this key."
    ),
    Code.KIND_UNKNOWN: Problem(
        HTTPStatus.NOT_FOUND,
        "Unknown kind",
        "No kind has this name; the nearest ones are in suggestions.",
    ),
    Code.TILE_UNKNOWN: Problem(
        HTTPStatus.NOT_FOUND, "Unknown tile", "The log has no tile at this path, or not yet."
    ),
    Code.ROUTE_UNKNOWN: Problem(
        HTTPStatus.NOT_FOUND, "No such resource", "The API has no resource at this path."
    ),
    Code.METHOD_NOT_ALLOWED: Problem(
        HTTPStatus.METHOD_NOT_ALLOWED,
        "Method not allowed",
        "The resource does not support this method; see the Allow header.",
    ),
    Code.REQUEST_INVALID: Problem(
        HTTPStatus.BAD_REQUEST,
        "Invalid request",
        "A field of the request is missing, unknown or invalid; see errors.",
    ),
    Code.JSON_INVALID: Problem(
        HTTPStatus.BAD_REQUEST,
        "Invalid JSON",
        "JSON must be strict: UTF-8, no duplicate keys, interoperable numbers (RFC 7493).",
    ),
    Code.BODY_INVALID: Problem(
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "Invalid body",
        "The body is invalid; errors has a JSON pointer and the expectation for each problem.",
    ),
    Code.PARENT_INVALID: Problem(
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "Invalid parent",
        "A parent is yanked, or it is a mixin where a target is needed, or the reverse.",
    ),
    Code.CYCLE: Problem(
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "Circular dependency",
        "Floating references lead from this body back to its own tag.",
    ),
    Code.TOO_LARGE: Problem(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "Too large",
        "A limit on bytes, references or nodes is exceeded; the detail says which.",
    ),
    Code.TOO_DEEP: Problem(
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "Too deep",
        "A limit on nesting or on the length of the lineage is exceeded; the detail says which.",
    ),
    Code.NOT_A_TARGET: Problem(
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "Not a target",
        "A mixin is a patch and cannot be used where a target is needed.",
    ),
    Code.OPTION_UNSAFE: Problem(
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "Unsafe option",
        "The target holds text that would make a compiler write, print, load or stop; see errors.",
    ),
    Code.NODE_UNKNOWN: Problem(
        HTTPStatus.NOT_FOUND,
        "Unknown node",
        "The JSON pointer names no node of the target; its nodes are in suggestions.",
    ),
    Code.NOTHING_CHANGED: Problem(
        HTTPStatus.CONFLICT,
        "Nothing changed",
        "Source, lineage, target and tuning keys equal those of the newest version.",
    ),
    Code.CONFLICT: Problem(
        HTTPStatus.CONFLICT, "Conflict", "The request conflicts with the current state."
    ),
    Code.PRECONDITION_REQUIRED: Problem(
        HTTPStatus.PRECONDITION_REQUIRED,
        "Precondition required",
        'Publishing needs If-Match: "<last published number>", or If-None-Match: * for the first.',
    ),
    Code.PRECONDITION_FAILED: Problem(
        HTTPStatus.PRECONDITION_FAILED,
        "The tag has changed since you read it",
        "The tag is not at the version that the request expects.",
    ),
    Code.UNAUTHENTICATED: Problem(
        HTTPStatus.UNAUTHORIZED,
        "Authentication required",
        "Writing needs a valid token: Authorization: Bearer ttr_<prefix>_<secret>.",
    ),
    Code.FORBIDDEN: Problem(
        HTTPStatus.FORBIDDEN,
        "Not allowed",
        "You or your token lack the required permission.",
    ),
    Code.RATE_LIMITED: Problem(
        HTTPStatus.TOO_MANY_REQUESTS,
        "Too many requests",
        "A rate limit is exceeded; try again after Retry-After seconds.",
    ),
    Code.FILTER_INVALID: Problem(
        HTTPStatus.BAD_REQUEST,
        "Invalid filter",
        "A filter, a condition or a cursor is invalid; see errors.",
    ),
    Code.FORMAT_UNKNOWN: Problem(
        HTTPStatus.NOT_ACCEPTABLE,
        "Unknown format",
        "No format has this name; the formats are in suggestions.",
    ),
    Code.FORMAT_UNFIT: Problem(
        HTTPStatus.NOT_ACCEPTABLE,
        "Unsuitable format",
        "The format cannot express this target; the detail says what it needs.",
    ),
    Code.FORMAT_LOSSY: Problem(
        HTTPStatus.NOT_ACCEPTABLE,
        "Lossy format",
        "With strict=1 the format may omit nothing; errors has the JSON pointer of each omission.",
    ),
    Code.MEDIA_TYPE_UNSUPPORTED: Problem(
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        "Unsupported media type",
        "Requests must have Content-Type: application/json.",
    ),
    Code.LENGTH_REQUIRED: Problem(
        HTTPStatus.LENGTH_REQUIRED,
        "Length required",
        "Requests must have a Content-Length; chunked ones are not accepted.",
    ),
    Code.REQUEST_TIMEOUT: Problem(
        HTTPStatus.REQUEST_TIMEOUT,
        "Request timeout",
        "The body of the request did not arrive in time.",
    ),
    Code.BUSY: Problem(
        HTTPStatus.SERVICE_UNAVAILABLE, "Busy", "Try again after Retry-After seconds."
    ),
    Code.STORAGE_FULL: Problem(
        HTTPStatus.SERVICE_UNAVAILABLE,
        "Storage full",
        "The registry's disk is full: nothing was saved. Reading works.",
    ),
    Code.READ_ONLY: Problem(
        HTTPStatus.SERVICE_UNAVAILABLE,
        "Read-only",
        "The registry's database accepts no writes: nothing was saved. Reading works.",
    ),
    Code.STORAGE_DAMAGED: Problem(
        HTTPStatus.SERVICE_UNAVAILABLE,
        "Storage damaged",
        "The registry's database is damaged where the request needs it; its operator must act.",
    ),
    Code.LOG_UNAVAILABLE: Problem(
        HTTPStatus.SERVICE_UNAVAILABLE,
        "Log unavailable",
        "The registry cannot sign the state of its log; everything else works.",
    ),
    Code.INTERNAL: Problem(
        HTTPStatus.INTERNAL_SERVER_ERROR,
        "Internal error",
        "The registry failed to handle the request; the error is logged.",
    ),
}


def retry_after(refusal: Refused) -> int | None:
    """Return the seconds after which a retry may succeed; None if waiting does not help."""
    if isinstance(refusal, RateLimited):
        return refusal.seconds
    return RETRY_AFTER.get(refusal.code)
