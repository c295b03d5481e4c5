"""Accounts: the first, made by the operator; the others, by their owners or by administrators."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from allauth.mfa.models import Authenticator
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db.models import ProtectedError

from registry.domain.errors import Code, Fault, Refused, echo, refuse_all
from registry.domain.near_names import nearest_names
from registry.models import Membership, Token, User
from registry.services.accounts import usernames
from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor
from registry.services.core.transactions import append_event, authorized_write, write_lock
from registry.services.namespaces import members

TEXT_FIELDS = ("first_name", "last_name", "email")
MAX_CANDIDATES = 1000  # that a name which is nobody's is compared with


@dataclass(frozen=True, slots=True)
class Rights:
    """What an account may do, besides its roles in namespaces."""

    is_active: bool = True  # signs in, and its tokens open something
    is_staff: bool = False  # does everything in every namespace
    is_superuser: bool = False  # and changes accounts


def create_admin(username: str) -> tuple[User, str]:
    """An account that may do everything, and its password; an empty one if the account is there."""
    with write_lock():
        known = User.objects.filter(username=username).first()
        if known:
            return known, ""
        password = secrets.token_urlsafe(12)
        made = User.objects.create_superuser(username, password=password)
        append_event("account.made", username, actor=made, namespace="", staff=True)
    return made, password


def find_user(username: str) -> User:
    """The account of a name. Raises `Refused` (REQUEST_INVALID) with the nearest names."""
    user = User.objects.filter(username=username).first() if username.isprintable() else None
    if user is None:
        known = User.objects.order_by("username").values_list("username", flat=True)[
            :MAX_CANDIDATES
        ]
        raise Refused(
            Code.REQUEST_INVALID,
            f"There is no account {echo(username)}.",
            suggestions=nearest_names(username, known),
        )
    return user


def create_user(
    username: str,
    *,
    actor: Actor | None,
    password: str = "",
    rights: Rights = Rights(),
    first_name: str = "",
    last_name: str = "",
    email: str = "",
) -> User:
    """Make an account; without a password a machine's, which has tokens only.

    Raises `Refused` (REQUEST_INVALID) with everything that is wrong with it.
    """
    permission = permissions.require(actor, Action.MANAGE_ACCOUNTS)
    words = {"first_name": first_name, "last_name": last_name, "email": email}
    user = User(username=username, **words, **asdict(rights))
    _set_password(user, password)
    with authorized_write(permission):
        taken = usernames.taken_faults(username)
        refuse_all([*taken, *_faults(user), *_password_faults(user, password)])
        user.save(force_insert=True)
        append_event(
            "account.made",
            username,
            actor=permission.user,
            namespace="",
            staff=user.is_staff,
        )
    return user


def sign_up(username: str, *, password: str, email: str = "") -> User:
    """An account that somebody makes for themselves, without rights.

    Raises `Refused` (REQUEST_INVALID) with everything that is wrong with it.
    """
    user = User(username=username, email=email)
    user.set_password(password)
    with write_lock():
        named = usernames.username_faults(username)
        refuse_all([*named, *_faults(user, "username"), *_password_faults(user, password)])
        user.save(force_insert=True)
        append_event("account.made", username, actor=user, namespace="", staff=False)
    return user


def update_user(
    user: User, *, actor: Actor | None, rights: Rights, first_name: str, last_name: str, email: str
) -> User:
    """Change what is said of an account and what it may do. The event names what, not to what.

    Raises `Refused`: REQUEST_INVALID with everything that is wrong, CONFLICT where no superuser
    would be left.
    """
    permission = permissions.require(actor, Action.MANAGE_ACCOUNTS, user)
    wanted = {"first_name": first_name, "last_name": last_name, "email": email, **asdict(rights)}
    with authorized_write(permission):
        known = User.objects.get(pk=user.pk)
        changed = [name for name, value in wanted.items() if getattr(known, name) != value]
        for name in changed:
            setattr(known, name, wanted[name])
        refuse_all(_faults(known, "username"))  # a closed account's fits no rule of user names
        refuse_without_superuser(known)
        if changed:
            known.save(update_fields=changed)
            ticked = {name: wanted[name] for name in changed if name not in TEXT_FIELDS}
            append_event(
                "account.changed",
                known.username,
                actor=permission.user,
                namespace="",
                changed=sorted(changed),
                **ticked,
            )
    return known


def set_password(user: User, password: str, *, actor: Actor | None) -> None:
    """Give an account another password, or with an empty one none.

    Raises `Refused` (REQUEST_INVALID) for one that is easily guessed.
    """
    permission = permissions.require(actor, Action.SET_PASSWORD, user)
    refuse_all(_password_faults(user, password))
    _set_password(user, password)
    with authorized_write(permission):
        user.save(update_fields=["password"])
        append_event(
            "account.password_set",
            user.username,
            actor=permission.user,
            namespace="",
            usable=bool(password),
        )


def record_email_change(user: User) -> None:
    """Log that somebody has other addresses now. The event names none."""
    with write_lock():
        append_event("account.changed", user.username, actor=user, namespace="", changed=["email"])


def record_factor_added(user: User, factor: str) -> None:
    """Log that signing in takes a further factor now, or that there are new codes for it."""
    with write_lock():
        append_event("account.factor_added", user.username, actor=user, namespace="", factor=factor)


def record_factor_removed(user: User, factor: str) -> None:
    """Log that signing in no longer takes a factor."""
    with write_lock():
        append_event(
            "account.factor_removed", user.username, actor=user, namespace="", factor=factor
        )


def has_factor(user: User) -> bool:
    """Whether signing in takes a second factor."""
    return Authenticator.objects.filter(user=user).exists()


def remove_factors(user: User, *, actor: Actor | None) -> None:
    """Let somebody in without the second factor that they have lost.

    Raises `Refused` (CONFLICT) where there is none.
    """
    permission = permissions.require(actor, Action.MANAGE_ACCOUNTS, user)
    with authorized_write(permission):
        held = Authenticator.objects.filter(user=user)
        factors = sorted(held.values_list("type", flat=True))
        if not factors:
            raise Refused(Code.CONFLICT, f"{user} signs in without a second factor.")
        held.delete()
        append_event(
            "account.factor_removed",
            user.username,
            actor=permission.user,
            namespace="",
            factor=" ".join(factors),
        )


def refuse_mistyped_password(password: str, again: str) -> None:
    """Refuse (REQUEST_INVALID) a password that was typed in two ways."""
    if password != again:
        message = "the two passwords are not the same"
        refuse_all([Fault("/again", Code.REQUEST_INVALID, message, "the same twice")])


def delete_user(user: User, *, actor: Actor | None) -> None:
    """Delete an account that has written nothing, with its roles and tokens.

    Raises `Refused` (CONFLICT) for one that anything written names, that is the last owner of a
    namespace or the last superuser, and for one's own.
    """
    permission = permissions.require(actor, Action.MANAGE_ACCOUNTS, user)
    name = user.username
    if user == permission.user:
        raise Refused(Code.CONFLICT, f"{name} is your own account; another superuser deletes it.")
    with authorized_write(permission):
        refuse_without_superuser(User(pk=user.pk))
        for held in Membership.objects.filter(user=user).select_related("namespace", "user"):
            members.end_membership(held, user, by=permission.user)
        tokens = Token.objects.filter(owner=user).count()
        try:
            user.delete()
        except ProtectedError as error:
            raise Refused(
                Code.CONFLICT,
                f"{name} has published or done something that the log keeps, and so stays; "
                "close the account instead.",
            ) from error
        append_event("account.deleted", name, actor=permission.user, namespace="", tokens=tokens)


def account_role(user: User) -> str:
    """What an account may, in one word."""
    if not user.is_active:
        return "closed"
    if user.is_superuser:
        return "superuser"
    return "staff" if user.is_staff else "account"


def refuse_without_superuser(changed: User) -> None:
    """Refuse (CONFLICT) to leave the registry without somebody who can change accounts."""
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=changed.pk)
    if not (changed.is_superuser and changed.is_active) and not others.exists():
        raise Refused(Code.CONFLICT, "No superuser would be left who can change accounts.")


def _set_password(user: User, password: str) -> None:
    if password:
        user.set_password(password)
    else:
        user.set_unusable_password()


def _faults(user: User, *seen_to: str) -> Iterator[Fault]:
    """What Django's own checks say of an account's columns, but for those that are seen to."""
    try:
        user.full_clean(exclude=["password", *seen_to], validate_unique=False)
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
