"""The forms of passkeys, whose credentials a script makes. Anybody can post other ones."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn import forms as webauthn
from django import forms

from registry.actions.form_messages import fault_sentence
from registry.domain import user_text
from registry.services.accounts import users
from registry.web.accounts.forms import LabelledForm

MAX_PASSKEYS = 10
PASSKEY_NAME = "So that you know it among others: laptop, blue key."
MAX_PASSKEY_NAME = 60  # characters
UNKNOWN_PASSKEY = "This passkey opens nothing here: it was removed, or is of another account."


class PasskeyName(LabelledForm):
    """Base class of forms with the name of a passkey."""

    labels = {
        "name": "Name",
        "passwordless": "Also sign in with it alone, without the password",
    }
    help_texts = {
        "name": PASSKEY_NAME,
        "passwordless": "It then asks for a fingerprint, a face or a PIN.",
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["maxlength"] = MAX_PASSKEY_NAME

    def clean_name(self) -> str:
        """Return the name as it is stored. Raises `ValidationError` if it is malformed."""
        name = user_text.normalize_text(self.cleaned_data["name"])
        faults = user_text.text_faults(name, "/name", max_length=MAX_PASSKEY_NAME)
        if messages := [fault_sentence(fault) for fault in faults]:
            raise forms.ValidationError(messages)
        return name or "Passkey"


class AddPasskey(PasskeyName, webauthn.AddWebAuthnForm):
    """The form for adding a passkey; a script makes its credential."""

    def clean(self) -> dict[str, Any]:
        """Limit how many passkeys an account has: each is read at every sign-in."""
        if users.count_passkeys(self.user) >= MAX_PASSKEYS:
            raise forms.ValidationError(f"An account has at most {MAX_PASSKEYS} passkeys.")
        with refusing_malformed():
            cleaned: dict[str, Any] = super().clean() or {}
        return cleaned


class RenamePasskey(PasskeyName, webauthn.EditWebAuthnForm):
    """The form for renaming a passkey."""


# Decision 180: anybody posts credentials. fido2 raises these for what no browser sends, and allauth
# catches a part of them.
MALFORMED = (ValueError, TypeError, LookupError, AttributeError, struct.error)


@contextmanager
def refusing_malformed() -> Iterator[None]:
    """Raise `ValidationError` for a credential that is none, in place of what fido2 raises."""
    try:
        yield
    except MALFORMED:
        raise forms.ValidationError("The browser has sent no valid passkey.") from None


class CredentialForm(forms.Form):
    """Base class of forms that authenticate by a passkey."""

    def clean_credential(self) -> Authenticator:
        """Return the passkey. Raises `ValidationError` if it is malformed or wrong."""
        try:
            with refusing_malformed():
                authenticator: Authenticator = super().clean_credential()  # type: ignore[misc]
        except forms.ValidationError as error:
            if error.code == "incorrect_code":  # allauth's word for all factors
                raise forms.ValidationError(UNKNOWN_PASSKEY) from None
            raise
        return authenticator


class AuthenticateByPasskey(CredentialForm, webauthn.AuthenticateWebAuthnForm):
    """The form for a passkey as the second factor."""


class SignInByPasskey(CredentialForm, webauthn.LoginWebAuthnForm):
    """The form for signing in by a passkey alone."""


class ReauthenticateByPasskey(CredentialForm, webauthn.ReauthenticateWebAuthnForm):
    """The form that asks for a passkey again."""
