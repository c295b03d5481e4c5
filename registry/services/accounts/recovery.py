"""Ways back into an account without mail: a recovery key, or the code of a reset."""

from __future__ import annotations

from django.contrib.auth.hashers import make_password
from django.utils import timezone

from registry.domain.errors import Code, Refused
from registry.models import AccountReset, RecoveryKey, User
from registry.services.accounts import recovery_codes, resets, users
from registry.services.core import permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.core.transactions import authorized_write, write_lock
from registry.services.event_log.appending import append_event

WRONG = (
    "This username and this key or code do not belong together, or it was used, replaced or "
    "stopped, or has expired."
)


def make_key(*, actor: Actor | None) -> str:
    """Make a recovery key of the actor's account, in place of an earlier one, and return it.

    Raises `Refused` (FORBIDDEN) if the actor has to enter the password again.
    """
    permission = permissions.require_own(actor, Action.SET_PASSWORD)
    permissions.refuse_unconfirmed(permission.actor)
    user, key = permission.user, recovery_codes.new_code()
    with authorized_write(permission):
        RecoveryKey.objects.filter(user=user).delete()
        RecoveryKey.objects.create(user=user, digest=recovery_codes.digest(key))
        append_event("account.recovery_key_issued", user.username, actor=user, namespace="")
    return key


def recovery_key(user: User) -> RecoveryKey | None:
    """Return when an account made its recovery key, not the key; None if it has none."""
    return RecoveryKey.objects.filter(user=user).first()


def recover(username: str, *, code: str, password: str) -> User:
    """Set a new password by a recovery key, or by the code of a reset. Either works once.

    A key leaves second factors and tokens as they are. A reset removes them. Raises `Refused`:
    FORBIDDEN if the code is wrong, CONFLICT before the end of the waiting time, REQUEST_INVALID if
    the password is easily guessed.
    """
    user = User.objects.filter(username__iexact=username, is_active=True).first()
    way = _way(user, code)
    users.refuse_weak_password(way.user, password)
    password_hash = make_password(password)  # takes a moment, so before the lock
    with write_lock():
        way = _way(user, code)
        user = way.user
        user.password = password_hash
        user.save(update_fields=["password"])
        if isinstance(way, AccountReset):
            by = "reset"
            resets.end_all_access(user)
        else:
            by = "recovery key"
            way.delete()
        append_event("account.recovered", user.username, actor=user, namespace="", by=by)
    return user


def _way(user: User | None, code: str) -> RecoveryKey | AccountReset:
    """Return what a code opens an account by. Raises `Refused` (FORBIDDEN or CONFLICT)."""
    key = RecoveryKey.objects.filter(user=user, user__is_active=True).select_related("user").first()
    if key and recovery_codes.matches(code, key.digest):
        return key
    reset = resets.pending_reset(user) if user else None
    if reset is None or not recovery_codes.matches(code, reset.digest):
        raise Refused(Code.FORBIDDEN, WRONG)
    if reset.valid_from > timezone.now():
        raise Refused(
            Code.CONFLICT,
            f"This code works from {reset.valid_from:%Y-%m-%d %H:%M} UTC on, unless the reset is "
            "stopped before.",
        )
    return reset
