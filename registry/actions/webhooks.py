"""Actions on the webhooks of a namespace."""

from __future__ import annotations

from registry.actions.action_form import ActionForm, Outcome, State
from registry.actions.fields import LineField
from registry.actions.subjects import NAMESPACE, WEBHOOK
from registry.models import Namespace
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.webhooks import registration


class AddWebhook(ActionForm):
    """Post the events of a namespace to an address. The result has the secret, shown once."""

    slug = "webhook"
    subject_type = NAMESPACE
    permission = Action.MANAGE_WEBHOOKS
    template = "registry/namespaces/webhooks.html"
    button = "Add webhook"
    consequence = (
        "Every public event of the namespace is posted there within seconds, signed with a secret "
        "that is shown once."
    )
    url = LineField("URL", "An https URL of a public host, such as https://ci.example.org/hooks.")

    @property
    def needs_password(self) -> bool:
        """Return whether the form is valid. An invalid one shows its errors first."""
        return self.is_valid()

    @classmethod
    def perform(cls, namespace: Namespace, *, url: str, actor: Actor) -> Outcome:
        webhook, secret = registration.add_webhook(namespace, url=url, actor=actor)
        return Outcome(secret, webhook)


class RemoveWebhook(ActionForm):
    """Remove a webhook, with the log of its deliveries."""

    slug = "remove"
    subject_type = WEBHOOK
    permission = Action.MANAGE_WEBHOOKS
    service = registration.remove_webhook
    done = "The webhook is removed."
    button = "Remove"
    effect = "Remove webhook"
    heading_format = "Remove a webhook"
    consequence = "Nothing more is posted there. The log of what was posted is deleted."
    removes_row = True


class EnableWebhook(ActionForm):
    """Let a webhook that was given up begin with the next event."""

    slug = "enable"
    subject_type = WEBHOOK
    permission = Action.MANAGE_WEBHOOKS
    state = State("disabled", is_set=True, otherwise="in force already")
    service = registration.enable_webhook
    done = "The webhook is in force again."
    button = "Enable"
    effect = "Enable webhook"
    heading_format = "Enable a webhook"
    consequence = (
        "It gets what happens from now on. You can deliver earlier events again, one by one."
    )
