"""Verify a registry, and print what this release says of it in the form of `expected.json`.

Run as a module.
"""

import json
import os
import sys
from io import StringIO
from typing import Any

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
django.setup()

from django.conf import settings  # noqa: E402 - after django.setup()
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import reverse  # noqa: E402

from registry.domain.errors import Refused  # noqa: E402
from registry.domain.reference import Reference  # noqa: E402
from registry.models import (  # noqa: E402
    Event,
    KindRevision,
    Name,
    SavedDraft,
    Turn,
    User,
    Version,
)
from registry.services.event_log import checkpoints, leaf_bytes  # noqa: E402
from registry.services.search import near_names  # noqa: E402
from registry.services.versions import resolving  # noqa: E402
from tests.web.proposals.submit.conftest import FormParser  # noqa: E402

settings.STORAGES["staticfiles"]["BACKEND"] = (
    "django.contrib.staticfiles.storage.StaticFilesStorage"
)


def state() -> dict[str, Any]:
    """Return all rows that readers of release 0.1 knew, the log, and the saved drafts."""
    return {
        "versions": {
            version.exact: {
                "digest": version.digest,
                "build_digest": version.build_digest,
                "tuning_keys": json.loads(version.tuning_keys),
                "target": json.loads(version.target),
            }
            for version in Version.objects.select_related("tag").order_by("pk")
        },
        "resolved": {text: resolve(text) for text in Name.objects.values_list("text", flat=True)},
        "kinds": [
            [revision.kind.name, revision.number, revision.digest]
            for revision in KindRevision.objects.select_related("kind").order_by("pk")
        ],
        "turns": [
            [
                *(turn.proposal_id, turn.sequence, turn.action, turn.revision),
                *(str(turn.author), turn.text),
            ]
            for turn in Turn.objects.select_related("author").order_by("pk")
        ],
        "events": [
            [event.number, event.action, event.subject, event.actor.username, event.detail]
            for event in Event.objects.select_related("actor").order_by("number")
        ],
        "leaves": leaves(),
        "unstated": Version.objects.filter(leaves=None).count(),
        "similar": near_names.similar_tags("acme/bord"),
        "drafts": {draft.tag: draft_form(draft) for draft in SavedDraft.objects.all()},
    }


def resolve(text: str) -> str | None:
    """Return the exact reference that a name resolves to; None if all versions are yanked."""
    try:
        return resolving.resolve(Reference.parse(text)).version.exact
    except Refused:
        return None


def leaves() -> list[list[Any]]:
    """Return number and mark of each leaf that the newest checkpoint covers."""
    size = checkpoints.newest().checkpoint.size
    entries = [json.loads(leaf) for leaf in leaf_bytes.leaves(0, size)]
    return [[entry["event"], entry.get("backfilled", False)] for entry in entries]


def draft_form(draft: SavedDraft) -> dict[str, str]:
    """Return the fields with which its owner goes on, without those of one response."""
    client = Client(headers={"host": "localhost"})
    client.force_login(User.objects.get(pk=draft.owner_id))
    parser = FormParser()
    parser.feed(client.get(reverse("draft", args=[draft.pk])).content.decode())
    return {
        name: text
        for name, text in parser.fields.items()
        if name not in {"csrfmiddlewaretoken", "key"}
    }


if __name__ == "__main__":
    findings = StringIO()
    call_command("verify", stdout=findings)
    assert "no findings" in findings.getvalue(), findings.getvalue()
    json.dump(state(), sys.stdout)
