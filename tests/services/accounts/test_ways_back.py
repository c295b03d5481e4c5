"""Recovery keys, and resets that wait: who may, when they work, and what ends."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.test import Client
from django.utils import timezone

from registry.domain.errors import Code, Refused
from registry.models import AccountReset, Event, Notice, RecoveryKey, Session, Token, User
from registry.services.accounts import (
    closing,
    recovery,
    recovery_codes,
    resets,
    tokens,
    users,
)
from registry.services.accounts.users import AccountRights
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from registry.services.notices import reader

pytestmark = pytest.mark.django_db
PASSWORD, NEW = "correct horse battery", "another horse battery"


@pytest.fixture
def boss() -> User:
    return User.objects.create_superuser("boss")


@pytest.fixture
def carol() -> User:
    """Return an account with everything that opens it."""
    carol = users.sign_up("carol", password=PASSWORD)
    User.objects.filter(pk=carol.pk).update(last_login=timezone.now())
    carol.refresh_from_db()
    Authenticator.objects.create(user=carol, type=Authenticator.Type.TOTP, data={"secret": "x"})
    SocialAccount.objects.create(user=carol, provider="https://id.example.org", uid="248")
    tokens.issue_token(carol, label="ci", scopes={Scope.PROPOSE}, pattern="*", actor=sure(carol))
    Client().force_login(carol)
    return carol


def sure(user: User) -> Actor:
    return Actor(user, is_confirmed=True)


def begin(user: User, by: User) -> str:
    return resets.begin_reset(user, reason="her passport was shown", actor=Actor(by))[0]


def let_time_pass(**period: int) -> None:
    """Let resets become older, as if they had begun earlier."""
    for reset in AccountReset.objects.all():
        reset.valid_from -= timedelta(**period)
        reset.expires -= timedelta(**period)
        reset.save()


def refusal(act: Callable[[], object]) -> Refused:
    before = Event.objects.count()
    with pytest.raises(Refused) as refused:
        act()
    assert Event.objects.count() == before
    return refused.value


def password_of(user: User) -> str:
    user.refresh_from_db()
    return next(text for text in (PASSWORD, NEW) if user.check_password(text))


def use(code: str, name: str = "carol", password: str = NEW) -> User:
    return recovery.recover(name, code=code, password=password)


def test_a_reset_opens_the_account_after_the_waiting_time_and_ends_all_else(
    boss: User, carol: User
) -> None:
    key = recovery.make_key(actor=sure(carol))
    code = begin(carol, boss)
    let_time_pass(hours=72)
    assert use(code.upper().replace("-", " ")) == carol
    assert password_of(carol) == NEW
    assert not Authenticator.objects.filter(user=carol).exists()
    assert not SocialAccount.objects.filter(user=carol).exists()
    assert not Session.objects.filter(account=carol).exists()
    assert not Token.objects.filter(owner=carol, revoked=None).exists()
    assert refusal(lambda: use(code, password=PASSWORD)).code is Code.FORBIDDEN  # twice
    assert refusal(lambda: use(key, password=PASSWORD)).code is Code.FORBIDDEN
    assert Event.objects.filter(detail__contains=code).count() == 0


def test_no_reset_before_its_time(boss: User, carol: User) -> None:
    code = begin(carol, boss)
    let_time_pass(hours=71, minutes=59)
    assert "works from" in refusal(lambda: use(code)).detail
    assert password_of(carol) == PASSWORD
    assert Authenticator.objects.filter(user=carol).exists()
    assert Session.objects.filter(account=carol).exists()
    assert Token.objects.filter(owner=carol, revoked=None).exists()


def _stop(boss: User, carol: User) -> None:
    resets.stop_reset(carol, actor=Actor(carol))


def _expire(boss: User, carol: User) -> None:
    let_time_pass(days=8)


def _dismiss(boss: User, carol: User) -> None:
    User.objects.filter(pk=boss.pk).update(is_superuser=False)


def _close(boss: User, carol: User) -> None:
    closing.close_account(actor=Actor(carol), credit="Carol")
    User.objects.filter(pk=carol.pk).update(username="carol")


def _deactivate(boss: User, carol: User) -> None:
    User.objects.filter(pk=carol.pk).update(is_active=False)


@pytest.mark.parametrize("end", [_stop, _expire, _dismiss, _close, _deactivate])
def test_no_reset_once_it_has_ended(end: Any, boss: User, carol: User) -> None:
    code = begin(carol, boss)
    let_time_pass(days=3)
    end(boss, carol)
    assert refusal(lambda: use(code)).code is Code.FORBIDDEN
    carol.refresh_from_db()
    assert not carol.check_password(NEW)


def test_only_superusers_begin_resets_and_only_they_and_the_account_stop_them(
    boss: User, carol: User
) -> None:
    staff = User.objects.create_user("staff", is_staff=True)
    admin = User.objects.create_superuser("admin")
    User.objects.update(last_login=timezone.now())
    for user, by in ((carol, staff), (carol, carol), (admin, staff), (staff, carol)):
        assert refusal(partial(begin, user, by)).code is Code.FORBIDDEN
    begin(carol, boss)
    for by in (staff, User.objects.create_user("dave")):
        stop = partial(resets.stop_reset, carol, actor=Actor(by))
        assert refusal(stop).code is Code.FORBIDDEN
    resets.stop_reset(carol, actor=Actor(admin))
    assert refusal(lambda: resets.stop_reset(carol, actor=Actor(carol))).code is Code.CONFLICT


def test_no_needless_reset(boss: User, carol: User) -> None:
    machine, closed = User.objects.create_user("machine"), User.objects.create_user("closed")
    User.objects.filter(pk=closed.pk).update(is_active=False, last_login=timezone.now())
    begin(carol, boss)
    for user in (boss, machine, closed, carol):
        assert refusal(partial(begin, user, boss)).code is Code.CONFLICT
    assert (
        refusal(lambda: resets.begin_reset(carol, reason=" ", actor=Actor(boss))).code
        is Code.REQUEST_INVALID
    )


def test_the_account_hears_of_a_reset_at_once_and_when_it_was_used(boss: User, carol: User) -> None:
    code = begin(carol, boss)
    let_time_pass(days=3)
    use(code)
    while reader.read_events():
        pass
    heard = Notice.objects.filter(user=carol).values_list("event__action", flat=True)
    assert {"account.reset_started", "account.recovered"} <= set(heard)


def test_a_superuser_takes_over_no_account_unheard(boss: User, carol: User) -> None:
    def set_password() -> None:
        users.set_password(carol, NEW, actor=Actor(boss))

    def set_address() -> None:
        rights, names = AccountRights(), {"first_name": "", "last_name": ""}
        users.update_user(carol, rights=rights, email="b@example.org", actor=Actor(boss), **names)

    assert refusal(set_password).code is Code.CONFLICT
    assert refusal(set_address).code is Code.CONFLICT
    assert password_of(carol) == PASSWORD
    users.set_password(carol, NEW, actor=Actor(carol))
    users.set_password(carol, "", actor=Actor(boss))  # to shut an account needs no waiting
    assert refusal(set_password).code is Code.CONFLICT

    def issue_token() -> None:
        tokens.issue_token(carol, label="x", scopes={"admin"}, pattern="acme", actor=sure(boss))

    carol.refresh_from_db()
    assert refusal(issue_token).code is Code.FORBIDDEN  # she has become no machine account


def test_a_recovery_key_works_once_and_leaves_the_second_factor(carol: User) -> None:
    assert recovery.recovery_key(carol) is None
    first, key = (recovery.make_key(actor=sure(carol)) for _ in range(2))
    assert recovery.recovery_key(carol) is not None
    assert refusal(lambda: use(first)).code is Code.FORBIDDEN  # replaced
    assert refusal(lambda: use(key, password="12345678")).code is Code.REQUEST_INVALID
    assert use(key) == carol
    assert password_of(carol) == NEW
    assert Authenticator.objects.filter(user=carol).exists()
    assert Token.objects.filter(owner=carol, revoked=None).exists()
    assert refusal(lambda: use(key, password=PASSWORD)).code is Code.FORBIDDEN


@pytest.mark.parametrize(("name", "code"), [("carol", ""), ("carol", "0"), ("nobody", None)])
def test_wrong_names_and_codes_get_the_same_answer(
    name: str, code: str | None, carol: User
) -> None:
    key = recovery.make_key(actor=sure(carol))
    refused = refusal(lambda: use(key if code is None else code, name))
    assert (refused.code, refused.detail) == (Code.FORBIDDEN, recovery.WRONG)
    assert RecoveryKey.objects.filter(user=carol).exists()


def test_a_key_of_one_account_opens_no_other(boss: User, carol: User) -> None:
    key = recovery.make_key(actor=sure(carol))
    recovery.make_key(actor=sure(boss))
    assert refusal(lambda: use(key, "boss")).code is Code.FORBIDDEN


def test_a_key_needs_the_password_again_and_no_token(carol: User) -> None:
    assert refusal(lambda: recovery.make_key(actor=Actor(carol))).code is Code.FORBIDDEN
    token = Token.objects.get(owner=carol)
    actor = Actor(carol, token, is_confirmed=True)
    assert refusal(lambda: recovery.make_key(actor=actor)).code is Code.FORBIDDEN


def test_codes_are_read_as_people_type_them() -> None:
    code = recovery_codes.new_code()
    typed = f" {code.upper()} ".replace("-", " ").replace("0", "O").replace("1", "I")
    assert recovery_codes.matches(typed, recovery_codes.digest(code))
    assert not recovery_codes.matches(code[:-1], recovery_codes.digest(code))
    assert recovery_codes.new_code() != code
