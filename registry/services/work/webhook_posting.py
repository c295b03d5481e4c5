"""The task that posts events to webhooks."""

from __future__ import annotations

from registry.domain.webhooks.public_addresses import is_public
from registry.services.webhooks import delivery
from registry.services.webhooks.posting import AddressRule
from registry.services.work.tasks import GoOn


class WebhookPosting:
    """Posts what waits, to addresses that a rule allows. Only tests give another rule."""

    name = "webhook-posts"
    interval = 1.0

    def __init__(self, is_allowed: AddressRule = is_public) -> None:
        self._is_allowed = is_allowed

    def is_due(self) -> bool:
        """Return whether an event waits for a webhook that is not paused."""
        return delivery.due_webhooks().exists()

    def run(self, may_go_on: GoOn) -> None:
        """Post until nothing is due."""
        delivery.deliver_due(self._is_allowed, may_go_on)
