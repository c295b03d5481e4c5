"""Comments on requests for namespaces, by the requester and staff."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from registry.domain.errors import Code, Refused
from registry.models import NamespaceRequest, RequestComment, RequestState, User
from registry.services.core import permissions, remarks
from registry.services.core.paging import Page, paginate
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.core.transactions import authorized_write
from registry.services.namespaces import requests
from registry.services.namespaces.request_list import find_request


def list_comments(
    request: NamespaceRequest, *, after: Sequence[Any] | None = None, limit: int | None = None
) -> Page[RequestComment]:
    """Return a page of the comments on a request, oldest first. One query."""
    rows = request.comments.select_related("author").order_by("sequence")
    if after:
        rows = rows.filter(sequence__gt=after[0])
    return paginate(rows, key=lambda comment: [comment.sequence], limit=limit)


def all_comments(request: NamespaceRequest) -> tuple[RequestComment, ...]:
    """Return all comments on a request, oldest first. One query."""
    return list_comments(request, limit=remarks.MAX_REMARKS).rows


# Decision 185: only these two, and only until it is decided.
def comment(number: int, *, text: str, actor: Actor | None, key: str = "") -> RequestComment:
    """Comment on an open request, as its requester or staff.

    A form that was sent before, as its `key` tells, has no further effect. Raises `Refused`:
    NAMESPACE_REQUEST_UNKNOWN, FORBIDDEN for others, REQUEST_INVALID without text, CONFLICT if the
    request is decided, or the key was used for another request or text.
    """
    permission = permissions.require(actor, Action.COMMENT_ON_REQUEST)
    refuse_outsiders(find_request(number), permission.user)
    text = remarks.check_text(text)
    with authorized_write(permission):
        request = find_request(number)
        author = User.objects.get(pk=permission.user.pk)
        refuse_outsiders(request, author)
        sent = RequestComment.objects.select_related("request", "author")
        if earlier := remarks.sent_before(sent, author, key):
            _refuse_other(earlier, request)
            remarks.refuse_other_text(earlier, text)
            return earlier
        requests.refuse_decided(request)
        sequence = remarks.next_sequence(request.comments.all(), request, is_comment=True)
        added = RequestComment.objects.create(
            request=request, sequence=sequence, text=text, author=author, key=key
        )
        requests.append_request_event(
            "request.commented", request, author, before=RequestState.OPEN
        )
    return added


def refuse_outsiders(request: NamespaceRequest, user: User) -> None:
    """Raise `Refused` (FORBIDDEN) unless the user made the request or is staff."""
    if request.requester_id != user.pk and not user.is_staff:
        raise Refused(
            Code.FORBIDDEN,
            f"{user} may not comment on request {request.pk}; allowed: {request.requester}, staff.",
        )


def _refuse_other(earlier: RequestComment, request: NamespaceRequest) -> None:
    if earlier.request_id != request.pk:
        raise Refused(
            Code.CONFLICT,
            f"The key {earlier.key} was already used to comment on request {earlier.request_id}.",
        )
