"""Actions of people on their own accounts."""

from __future__ import annotations

from registry.actions.action_form import ActionForm, NameField
from registry.services.accounts import closing
from registry.services.accounts.usernames import FORMER, MAX_CREDIT


class CloseAccount(ActionForm):
    """Close the account of the actor."""

    slug = "close"
    button = "Close my account"
    consequence = "This cannot be taken back."
    credit = NameField(
        "Name for what stays",
        f"At most {MAX_CREDIT} characters, not the name of another account. Left empty: {FORMER}.",
        required=False,
    )

    @property
    def heading(self) -> str:
        """What the page is called."""
        return "Close account"

    def perform(self) -> str:
        closed = closing.close_account(actor=self.actor, credit=self.cleaned_data["credit"])
        return f"Your account is closed. What you wrote is by {closed} now."
