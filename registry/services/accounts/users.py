"""Creates, changes and deletes accounts."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db.models import ProtectedError, Q

from registry.domain.errors import Code, Fault, Refused, echo, refuse_all
from registry.domain.names.near_names import nearest_names
from registry.models import Membership, Session, Token, User
from registry.services.accounts import usernames
from registry.services.core import machine_accounts, permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor, Permission
from registry.services.core.state_tokens import refuse_changed, state_token
from registry.services.core.transactions import authorized_write, write_lock
from registry.services.event_log.appending import append_event
from registry.services.namespaces import members

TEXT_FIELDS = ("first_name", "last_name", "email")
MAX_CANDIDATES = 1000  # usernames compared for suggestions


@dataclass(frozen=True, slots=True)
class AccountRights:
    """The rights of an account, besides its roles in namespaces."""

    is_active: bool = True  # can sign in and use tokens
    is_staff: bool = False  # can do everything in every namespace
    is_superuser: bool = False  # can also manage accounts


def create_admin(username: str) -> tuple[User, str]:
    """Create a superuser with a random password, and return both.

    If the account exists, it is returned unchanged, with an empty password. Raises `Refused`
    (REQUEST_INVALID) for another name that nobody could sign up with, unless it is reserved.
    """
    with write_lock():
        user = User.objects.filter(username=username).first()
        if user:
            return user, ""
        is_reserved = username in usernames.RESERVED and usernames.USERNAME.fullmatch(username)
        faults = usernames.taken_faults if is_reserved else usernames.username_faults
        refuse_all([*faults(username)])
        password = secrets.token_urlsafe(12)
        user = User.objects.create_superuser(username, password=password)
        _append("account.made", user, by=user, staff=True)
    return user, password


def find_user(username: str) -> User:
    """Return an account by name. Raises `Refused` (REQUEST_INVALID) with similar names."""
    user = User.objects.filter(username=username).first() if username.isprintable() else None
    if user is None:
        names = User.objects.order_by("username").values_list("username", flat=True)
        raise Refused(
            Code.REQUEST_INVALID,
            f"There is no account {echo(username)}.",
            suggestions=nearest_names(username, names[:MAX_CANDIDATES]),
        )
    return user


def find_by_login(login: str) -> User | None:
    """Return the account that a username or an email address signs in; None if there is none."""
    matches = Q(username__iexact=login) | Q(email__iexact=login)
    accounts = User.objects.filter(matches | Q(emailaddress__email__iexact=login))
    return accounts.order_by("pk").first()


def create_user(
    username: str,
    *,
    actor: Actor | None,
    password: str = "",
    rights: AccountRights = AccountRights(),
    first_name: str = "",
    last_name: str = "",
    email: str = "",
) -> User:
    """Create an account; without a password it is a machine account, which only has tokens.

    Raises `Refused` (REQUEST_INVALID) with every fault.
    """
    permission = permissions.require(actor, Action.MANAGE_ACCOUNTS)
    texts = {"first_name": first_name, "last_name": last_name, "email": email}
    user = User(username=username, **texts, **asdict(rights))
    _set_password(user, password)
    with authorized_write(permission):
        name_faults = usernames.taken_faults(username)
        refuse_all([*name_faults, *_faults(user), *_password_faults(user, password)])
        user.save(force_insert=True)
        _append("account.made", user, by=permission.user, staff=user.is_staff)
    return user


def sign_up(username: str, *, password: str, password_hash: str = "", email: str = "") -> User:
    """Create an account for a visitor who signs up, without special rights.

    Without a password, an identity opens it, which the caller connects in the same write.

    Callers that hold the write lock hash the password before they take it. Raises `Refused`
    (REQUEST_INVALID) with every fault.
    """
    # Of no password, Django makes a hash that is unusable.
    password_hash = password_hash or make_password(password or None)
    user = User(username=username, email=email, password=password_hash)
    with write_lock():
        name_faults = usernames.username_faults(username)
        refuse_all([*name_faults, *_faults(user, "username"), *_password_faults(user, password)])
        user.save(force_insert=True)
        _append("account.made", user, by=user, staff=False)
    return user


def account_token(user: User) -> str:
    """Return what tells whether the details and rights of an account have changed."""
    rights = [field.name for field in fields(AccountRights)]
    return state_token(getattr(user, name) for name in (*TEXT_FIELDS, *rights))


def update_user(
    user: User,
    *,
    actor: Actor | None,
    rights: AccountRights,
    first_name: str,
    last_name: str,
    email: str,
    seen: str = "",
) -> User:
    """Change the names, email address and rights of an account.

    The event has the new rights, but only the field names of personal data. Raises `Refused`:
    REQUEST_INVALID with every fault, CONFLICT if no superuser would be left, and for another
    address of a person who signs in; PRECONDITION_FAILED unless `seen`, if stated, is the token of
    the account as it is.
    """
    permission = permissions.require(actor, Action.MANAGE_ACCOUNTS, user)
    values = {"first_name": first_name, "last_name": last_name, "email": email, **asdict(rights)}
    with authorized_write(permission):
        user = User.objects.get(pk=user.pk)
        refuse_changed(
            seen,
            account_token(user),
            f"Somebody has changed the account {user} meanwhile, and its rights perhaps. "
            "Open the form again.",
        )
        former = user.email
        changed = [name for name, value in values.items() if getattr(user, name) != value]
        if "email" in changed and email:
            _refuse_takeover(user, permission)  # a password is reset by mail to the address
        for name in changed:
            setattr(user, name, values[name])
        refuse_all(_faults(user, "username"))  # closed accounts follow other rules
        refuse_without_superuser(user)
        if changed:
            user.save(update_fields=changed)
            new_rights = {name: values[name] for name in changed if name not in TEXT_FIELDS}
            by = permission.user
            _append("account.changed", user, by=by, changed=sorted(changed), **new_rights)
            if "email" in changed:  # else it would go on to sign in, and be mailed
                addresses = EmailAddress.objects.filter(user=user, email__iexact=former)
                addresses.exclude(email__iexact=email).delete()
            if "is_active" in changed and not user.is_active:
                Session.objects.filter(account=user).delete()  # or they would come back with it
                members.record_closed(user, by=by)
    return user


def set_password(user: User, password: str, *, actor: Actor | None) -> None:
    """Set an account's password, or remove it if the new one is empty.

    Raises `Refused`: REQUEST_INVALID if the password is easily guessed, CONFLICT if it would give
    somebody else an account that a person uses.
    """
    permission = permissions.require(actor, Action.SET_PASSWORD, user)
    refuse_weak_password(user, password)
    _set_password(user, password)
    with authorized_write(permission):
        if password:
            _refuse_takeover(user, permission)
        user.save(update_fields=["password"])
        _append("account.password_set", user, by=permission.user, usable=bool(password))


def refuse_weak_password(user: User, password: str) -> None:
    """Raise `Refused` (REQUEST_INVALID) if a password of an account is easily guessed."""
    refuse_all(_password_faults(user, password))


# Decision 178: a superuser alone takes over no account at once and unheard.
def _refuse_takeover(user: User, permission: Permission) -> None:
    """Raise `Refused` (CONFLICT) if others would open an account to which somebody signs in."""
    is_others = permission.user.pk != user.pk and not permission.actor.is_operator
    if is_others and machine_accounts.is_used(User.objects.get(pk=user.pk)):
        raise Refused(
            Code.CONFLICT,
            f"Somebody signs in as {user}, whose password and email address nobody else sets. "
            f"Begin a reset: {user} hears of it, and can stop it while it waits.",
        )


def record_email_change(user: User) -> None:
    """Log that an account's email addresses changed. The event contains no address."""
    with write_lock():
        _append("account.changed", user, by=user, changed=["email"])


def record_factor_added(user: User, factor: str) -> None:
    """Log that a second factor was added, or that its recovery codes were renewed."""
    with write_lock():
        _append("account.factor_added", user, by=user, factor=factor)


def record_factor_removed(user: User, factor: str) -> None:
    with write_lock():
        _append("account.factor_removed", user, by=user, factor=factor)


def has_factor(user: User) -> bool:
    """Return whether an account signs in with a second factor."""
    return bool(Authenticator.objects.filter(user=user).exists())


def count_passkeys(user: User) -> int:
    """Return how many passkeys an account has."""
    passkeys = Authenticator.objects.filter(user=user, type=Authenticator.Type.WEBAUTHN)
    return int(passkeys.count())


def refuse_mistyped_password(password: str, again: str) -> None:
    """Raise `Refused` (REQUEST_INVALID) if a password and its repetition differ."""
    if password != again:
        message = "the two passwords differ"
        refuse_all([Fault("/again", Code.REQUEST_INVALID, message, "the same password twice")])


def delete_user(user: User, *, actor: Actor | None) -> None:
    """Delete an account that has published nothing, with its roles and tokens.

    Raises `Refused` (CONFLICT) if anything stored refers to the account, if it is the last owner
    of a namespace or the last superuser, and for the actor's own account.
    """
    permission = permissions.require(actor, Action.MANAGE_ACCOUNTS, user)
    name = user.username
    if user == permission.user:
        raise Refused(Code.CONFLICT, f"{name} is your own account; ask another superuser.")
    with authorized_write(permission):
        refuse_without_superuser(User(pk=user.pk))
        for membership in Membership.objects.filter(user=user).select_related("namespace", "user"):
            members.end_membership(membership, user, by=permission.user)
        tokens = Token.objects.filter(owner=user).count()
        try:
            user.delete()
        except ProtectedError as error:
            raise Refused(
                Code.CONFLICT,
                f"The event log or published data refer to {name}: the account cannot be deleted, "
                "only closed.",
            ) from error
        _append("account.deleted", user, by=permission.user, tokens=tokens)


def account_role(user: User) -> str:
    """Return the state of an account: closed, superuser, staff or account."""
    if not user.is_active:
        return "closed"
    if user.is_superuser:
        return "superuser"
    return "staff" if user.is_staff else "account"


def refuse_without_superuser(changed: User) -> None:
    """Raise `Refused` (CONFLICT) if no superuser would be left after a change."""
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=changed.pk)
    if not (changed.is_superuser and changed.is_active) and not others.exists():
        raise Refused(Code.CONFLICT, "No superuser would be left to manage accounts.")


def _append(action: str, user: User, *, by: User, **detail: Any) -> None:
    append_event(action, user.username, actor=by, namespace="", **detail)


def _set_password(user: User, password: str) -> None:
    if password:
        user.set_password(password)
    else:
        user.set_unusable_password()


def _faults(user: User, *exclude: str) -> Iterator[Fault]:
    """Yield the faults that Django's model validation finds, except in the excluded fields."""
    try:
        user.full_clean(exclude=["password", *exclude], validate_unique=False)
    except ValidationError as error:
        for name, messages in error.message_dict.items():
            for message in messages:
                yield Fault(f"/{name}", Code.REQUEST_INVALID, message)


def _password_faults(user: User, password: str) -> Iterator[Fault]:
    if not password:
        return
    try:
        validate_password(password, user)
    except ValidationError as error:
        for message in error.messages:
            yield Fault("/password", Code.REQUEST_INVALID, message)
