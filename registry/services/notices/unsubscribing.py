"""Ends mail by a signed link, without signing in (RFC 8058)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse

from registry.domain.errors import Code, Refused
from registry.domain.notices import MailTime, NoticeKind
from registry.models import User
from registry.services.core.transactions import write_lock
from registry.services.notices import mail_choices

SALT = "registry.services.notices.unsubscribing"
TOKEN = "token"  # noqa: S105 - the parameter; access logs have no query strings


@dataclass(frozen=True, slots=True)
class Subscription:
    """The mail that a link ends: to an account, of some kinds of news."""

    user: User
    kinds: tuple[NoticeKind, ...]


def link(user: User, kinds: Collection[NoticeKind]) -> str:
    """Return the address that ends mail of some kinds of news to an account."""
    token = Signer(salt=SALT).sign_object([user.pk, *sorted(kinds)])
    return f"{settings.ADDRESS}{reverse('unsubscribe', query={TOKEN: token})}"


def read_token(token: str) -> Subscription:
    """Return what a link ends. Raises `Refused` (REQUEST_INVALID) if it was not made here."""
    try:
        key, *kinds = Signer(salt=SALT).unsign_object(token)
        user = User.objects.get(pk=key, is_active=True)  # nothing is mailed to a closed account
    except (BadSignature, User.DoesNotExist):
        raise Refused(
            Code.REQUEST_INVALID,
            "This link is incomplete or too old. Sign in to choose what is mailed to you.",
        ) from None
    return Subscription(user, tuple(map(NoticeKind, kinds)))


def unsubscribe(subscription: Subscription) -> None:
    """End mail of these kinds. Who holds the link may: the mail with it was sent to them."""
    with write_lock():
        for kind in subscription.kinds:
            mail_choices.store(subscription.user, kind, MailTime.NEVER)
