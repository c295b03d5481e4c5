"""allauth's forms with our labels and help texts, and without placeholders."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as account
from allauth.account.models import EmailAddress
from allauth.mfa.base import forms as mfa
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.socialaccount import forms as socialaccount
from django import forms
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.http import HttpRequest
from django.utils.functional import cached_property

from registry.actions import form_messages
from registry.services.accounts import password_resets, usernames

LABELS = {
    "login": "Username or email address",
    "remember": "Stay signed in for two weeks",
    "username": "Username",
    "email": "Email address",
    "password": "Password",
    "oldpassword": "Current password",
    "password1": "New password",
    "password2": "Confirm new password",
    "code": "Code",
}
PASSWORD_RULES = "At least 8 characters, not all digits, not common, not similar to your username."  # noqa: S105 - a help text
HELP_TEXTS = {"password": "", "oldpassword": "", "password1": PASSWORD_RULES}
EXACT_TEXT = {"autocapitalize": "none", "spellcheck": "false"}


class LabelledForm(forms.Form):
    """Base class that sets labels and help texts."""

    labels: dict[str, str] = {}
    help_texts: dict[str, str] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        labels, help_texts = LABELS | self.labels, HELP_TEXTS | self.help_texts
        for name, field in self.fields.items():
            field.label = labels.get(name, field.label)
            field.help_text = help_texts.get(name, field.help_text)
            field.widget.attrs.pop("placeholder", None)
            if name in {"login", "username", "code"}:
                field.widget.attrs |= EXACT_TEXT
            if name in {"password2", "again"}:
                field.error_messages["required"] = "Enter the password again."
        form_messages.ask_for_empty_fields(self)


class SignIn(LabelledForm, account.LoginForm):
    """The form for signing in."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs["autocomplete"] = "username"


class NewAccount(LabelledForm):
    """Base class of sign-up forms; an email address is optional if the registry sends no email."""

    labels = {"password1": "Password", "password2": "Confirm password"}
    help_texts = {
        "username": f"{usernames.EXPECTED.capitalize()}. It is public and cannot be changed."
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        email = self.fields["email"]
        if settings.SENDS_MAIL:
            email.help_text = "We will send a confirmation link. Only staff can see the address."
        else:
            email.label = "Email address (optional)"
            email.help_text = "You can also sign in with it. Only staff can see it."


class SignUp(NewAccount, account.SignupForm):
    """The sign-up form, with a password."""

    @cached_property
    def password_hash(self) -> str:
        """The hash of the password, which takes a moment: compute it before a write begins."""
        return make_password(self.cleaned_data["password1"])


class SignUpByProvider(NewAccount, socialaccount.SignupForm):
    """The sign-up form of the owner of an identity at the provider."""


class AddEmail(LabelledForm, account.AddEmailForm):
    """The form for adding an email address."""

    def save(self, request: HttpRequest) -> Any:
        """Save the address. Without email there is no confirmation: the first becomes primary."""
        if settings.SENDS_MAIL:
            return super().save(request)
        address = EmailAddress.objects.add_email(request, self.user, self.cleaned_data["email"])
        address.set_as_primary(conditional=True)
        return address


class ChangePassword(LabelledForm, account.ChangePasswordForm):
    """The form for changing the password."""


class SetFirstPassword(LabelledForm, account.SetPasswordForm):
    """The form for setting a first password."""


class ResetPassword(LabelledForm, account.ResetPasswordForm):
    """The form that requests a link for resetting the password.

    It looks for no account, so that it takes the same time whether there is one.
    """

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"])

    def save(self, request: HttpRequest, **_: Any) -> str:
        email = str(self.cleaned_data["email"])
        host, scheme = request.get_host(), request.scheme or "http"
        password_resets.request_reset(email, scheme=scheme, host=host)
        return email


class ResetPasswordKey(LabelledForm, account.ResetPasswordKeyForm):
    """The form for a new password, behind that link."""


class Recover(LabelledForm):
    """The form for a new password by a recovery key, or by the code of a reset."""

    labels = {"code": "Recovery key or code"}
    help_texts = {"password": PASSWORD_RULES}
    username = forms.CharField(max_length=150)
    code = forms.CharField(max_length=100)
    password = forms.CharField(strip=False, widget=forms.PasswordInput)
    again = forms.CharField(label="Confirm new password", strip=False, widget=forms.PasswordInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].label = LABELS["password1"]
        self.fields["username"].widget.attrs["autocomplete"] = "username"
        self.fields["code"].widget.attrs["autocomplete"] = "off"
        for name in ("password", "again"):
            self.fields[name].widget.attrs["autocomplete"] = "new-password"

    def clean_again(self) -> str:
        """Refuse another password than the first."""
        if self.cleaned_data["again"] != self.cleaned_data.get("password"):
            raise forms.ValidationError("The two passwords differ.")
        return str(self.cleaned_data["again"])

    @property
    def values(self) -> dict[str, str]:
        """Return the values of a valid form that the service takes."""
        return {name: self.cleaned_data[name] for name in ("username", "code", "password")}


class Reauthenticate(LabelledForm, account.ReauthenticateForm):
    """The form that asks for the password again."""


class Authenticate(LabelledForm, mfa.AuthenticateForm):
    """The form for the second factor at sign-in."""

    help_texts = {"code": "The six digits shown by your app, or a recovery code."}


class ReauthenticateByCode(LabelledForm, mfa.ReauthenticateForm):
    """The form that asks for the second factor again."""

    help_texts = Authenticate.help_texts


class ActivateApp(LabelledForm, ActivateTOTPForm):
    """The form for setting up an authenticator app."""

    help_texts = {"code": "The six digits shown by your app."}
