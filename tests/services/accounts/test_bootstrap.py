"""The commands bootstrap, load_catalogue and revoke_token."""

import pytest
from django.core.management import CommandError, call_command

from registry.domain.errors import Refused
from registry.models import Namespace, Token, User
from registry.services.accounts import closing, tokens
from registry.services.core.permissions import Actor


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    call_command("bootstrap", *arguments)
    return capsys.readouterr().out


@pytest.mark.django_db
def test_creates_account_namespace_and_token(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "carol", "initech")
    carol = User.objects.get(username="carol")
    password = out.split("password ")[1].split()[0]
    assert carol.check_password(password)
    assert carol.is_superuser
    assert Namespace.objects.get(name="initech").memberships.get().user == carol
    assert tokens.authenticate(out.split()[-1]).user == carol


@pytest.mark.django_db
def test_token_has_the_scopes_of_a_build_by_default(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run(capsys, "carol", "initech")
    assert Token.objects.get().scopes == "publish yank"
    run(capsys, "carol", "initech", "--scopes", "admin", "propose")
    assert Token.objects.latest("pk").scopes == "admin propose"


@pytest.mark.django_db
def test_existing_account_is_unchanged(capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "carol", "initech")
    password = User.objects.get(username="carol").password
    out = run(capsys, "carol", "initech")
    assert "password" not in out
    assert User.objects.get(username="carol").password == password
    assert Token.objects.count() == 2


@pytest.mark.django_db
def test_invalid_namespace_is_rejected() -> None:
    with pytest.raises(CommandError, match="not a valid namespace"):
        call_command("bootstrap", "carol", "Init/Tech")
    assert not User.objects.filter(username="carol").exists(), "its password was never printed"


@pytest.mark.django_db
@pytest.mark.parametrize("username", ["", "no name", "Carol", "two\nlines"])
def test_invalid_name_of_an_account_is_rejected(username: str) -> None:
    with pytest.raises(CommandError, match="not a valid username"):
        call_command("bootstrap", username, "initech")
    assert not Namespace.objects.filter(name="initech").exists()


@pytest.mark.django_db
def test_name_of_a_closed_account_is_rejected() -> None:
    closing.close_account(actor=Actor.operator(User.objects.create_user("carol")))
    with pytest.raises(CommandError, match="is or was used by another account"):
        call_command("bootstrap", "carol", "initech")


@pytest.mark.django_db
def test_reserved_name_is_the_operator_s(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Account admin, password" in run(capsys, "admin", "initech")


@pytest.mark.django_db
def test_loading_the_catalogue_again_reports_nothing_new(
    capsys: pytest.CaptureFixture[str],
) -> None:
    call_command("load_catalogue")
    assert capsys.readouterr().out.endswith("Catalogue: nothing new.\n")


@pytest.mark.django_db
def test_operator_revokes_a_token(capsys: pytest.CaptureFixture[str]) -> None:
    token = run(capsys, "carol", "initech").split()[-1]
    call_command("revoke_token", token.split("_")[1])
    assert capsys.readouterr().out == "Revoked 'bootstrap of initech' of carol.\n"
    with pytest.raises(Refused, match="revoked"):
        tokens.authenticate(token)
    with pytest.raises(CommandError, match="no active token"):
        call_command("revoke_token", "000000000000")
