"""Post events to webhooks on loopback until killed; run as a module.

The rule that allows loopback is an argument here: no setting of the registry is one.
"""

import os
import sys
import time

import django


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
    django.setup()

    from registry.services.webhooks import events  # noqa: PLC0415 - after the setup
    from registry.services.work.log_reading import LogReading  # noqa: PLC0415
    from registry.services.work.webhook_posting import WebhookPosting  # noqa: PLC0415
    from registry.services.work.worker import Worker  # noqa: PLC0415

    reading = LogReading(events.NAME, events.has_unread_events, events.read_events)
    worker = Worker([reading, WebhookPosting(lambda address: address == "127.0.0.1")])
    worker.start()
    sys.stdout.write("started\n")
    sys.stdout.flush()
    while True:
        time.sleep(1)


if __name__ == "__main__":
    main()
