"""allauth's forms in our words: a label and a sentence where a placeholder would vanish."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as account
from allauth.account.models import EmailAddress
from allauth.mfa.base import forms as mfa
from allauth.mfa.totp.forms import ActivateTOTPForm
from django import forms
from django.conf import settings
from django.http import HttpRequest

from registry.services.accounts import usernames

LABELS = {
    "login": "User name or e-mail address",
    "remember": "Stay signed in here for two weeks",
    "username": "User name",
    "email": "E-mail address",
    "password": "Password",
    "oldpassword": "Current password",
    "password1": "New password",
    "password2": "New password again",
    "code": "Code",
}
NEW_PASSWORD = "At least 8 characters, not all digits, not common, not like your name."  # noqa: S105 - words
HELP = {"password": "", "oldpassword": "", "password1": NEW_PASSWORD}
SPELT = {"autocapitalize": "none", "spellcheck": "false"}


class LabelledForm(forms.Form):
    """What the forms have in common."""

    labels: dict[str, str] = {}
    helped: dict[str, str] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        for name, field in self.fields.items():
            field.label = self.labels.get(name, LABELS.get(name, field.label))
            field.help_text = self.helped.get(name, HELP.get(name, field.help_text))
            field.widget.attrs.pop("placeholder", None)
            if name in {"login", "username", "code"}:
                field.widget.attrs |= SPELT


class SignIn(LabelledForm, account.LoginForm):
    """Somebody comes in."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs["autocomplete"] = "username"


class SignUp(LabelledForm, account.SignupForm):
    """Somebody makes an account."""

    labels = {"password1": "Password", "password2": "Password again"}
    helped = {
        "username": f"{usernames.EXPECTED.capitalize()}. Everybody sees it; it is never changed."
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        email = self.fields["email"]
        if settings.SENDS_MAIL:
            email.help_text = "A link is sent there. Only staff sees it."
        else:
            email.label = "E-mail address, if you like"
            email.help_text = "To sign in with, too. Only staff sees it."


class AddEmail(LabelledForm, account.AddEmailForm):
    """A further address."""

    def save(self, request: HttpRequest) -> Any:
        """Keep it; where no mail is sent nothing verifies it, and the first is the one."""
        if settings.SENDS_MAIL:
            return super().save(request)
        added = EmailAddress.objects.add_email(request, self.user, self.cleaned_data["email"])
        added.set_as_primary(conditional=True)
        return added


class ChangePassword(LabelledForm, account.ChangePasswordForm):
    """Another password."""


class SetPassword(LabelledForm, account.SetPasswordForm):
    """A first password."""


class ResetPassword(LabelledForm, account.ResetPasswordForm):
    """A forgotten password."""


class ResetPasswordKey(LabelledForm, account.ResetPasswordKeyForm):
    """A new password in place of a forgotten one."""


class Reauthenticate(LabelledForm, account.ReauthenticateForm):
    """The password once more."""


class Authenticate(LabelledForm, mfa.AuthenticateForm):
    """The second factor."""

    helped = {"code": "Six digits that the app shows, or a recovery code."}


class ReauthenticateByCode(LabelledForm, mfa.ReauthenticateForm):
    """The second factor once more."""

    helped = Authenticate.helped


class ActivateApp(LabelledForm, ActivateTOTPForm):
    """An app is set up."""

    helped = {"code": "Six digits that the app shows now."}
