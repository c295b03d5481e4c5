"""Actions on identities at the provider, by which people sign in."""

from __future__ import annotations

from typing import Any

from registry.actions.action_form import ActionForm
from registry.actions.subjects import IDENTITY
from registry.services.accounts import identities
from registry.services.core.permission_rules import Action


class RemoveIdentity(ActionForm):
    """Remove an identity from one's own account."""

    slug = "remove"
    subject_type = IDENTITY
    permission = Action.SET_PASSWORD
    service = identities.remove
    done = "The identity is removed: it no longer signs you in."
    button = "Remove the identity"
    heading_format = "Remove an identity"
    template = "registry/accounts/identity_remove.html"
    needs_password = True

    @classmethod
    def preview(cls, subject: Any) -> dict[str, Any]:
        """Return the identity, and why it cannot be removed; then the button is not shown."""
        is_last = identities.is_last_way(subject.user, subject)
        return {"identity": subject, "is_last": is_last, "is_blocked": is_last}
