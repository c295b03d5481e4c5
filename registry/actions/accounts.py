"""Actions of users on their own accounts."""

from __future__ import annotations

from registry.actions.action_form import ActionForm, NameField
from registry.services.accounts import closing
from registry.services.accounts.usernames import FORMER_NAME, MAX_CREDIT


class CloseAccount(ActionForm):
    """Close the account of the actor."""

    slug = "close"
    button = "Close my account"
    consequence = "This cannot be undone."
    credit = NameField(
        "Name for your past contributions",
        f"At most {MAX_CREDIT} Latin letters, digits and plain punctuation; not the name of "
        "another account, a namespace or a vendor. "
        f"If empty: {FORMER_NAME}.",
        required=False,
    )

    @property
    def heading(self) -> str:
        """Return the heading of the page."""
        return "Close account"

    def perform(self) -> str:
        closed = closing.close_account(actor=self.actor, credit=self.cleaned_data["credit"])
        return f"Your account is closed. Your contributions are now credited to {closed}."
