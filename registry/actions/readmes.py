"""The action that writes the README of a namespace."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from registry.actions import form_messages
from registry.actions.action_form import ActionForm, Outcome, Route
from registry.actions.fields import ParagraphField, RevisionField
from registry.actions.subjects import README
from registry.domain.errors import Code, Refused
from registry.domain.readmes import MAX_TEXT
from registry.http import request_members
from registry.models import Namespace
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.namespaces import readmes


class WriteReadme(ActionForm):
    """Write the README of a namespace; an empty text removes it.

    Earlier revisions stay. To restore one, write its text again.
    """

    slug = "readme"
    subject_type = README
    permission = Action.DESCRIBE_NAMESPACE
    button = "Edit README"
    effect = "Publish README"
    preposition = " of "
    consequence = (
        "Anybody can read it on the page of the namespace, and every earlier revision of it. None "
        "can be deleted."
    )
    template = "registry/namespaces/readme_form.html"
    route = Route(
        "Write the README of a namespace",
        "ReadmeRequest",
        "The README of a namespace, and the revision that it replaces.",
        codes=(Code.README_UNKNOWN, Code.PRECONDITION_FAILED),
        operation="write_readme",
    )
    # Empty, but never left out by mistake: that would remove the README.
    text = ParagraphField(
        "README",
        f"Markdown of at most {MAX_TEXT:,} characters: headings, lists, quotes, code, links. HTML, "
        "and tables are shown as you type them, images as links. Empty: no README.",
        rows=18,
        attributes={"class": "source"},
        required=False,
        member=replace(
            request_members.prose(
                MAX_TEXT, is_multiline=True, required=False, help_text="Markdown; empty for none"
            ),
            required=True,
        ),
    )
    seen = RevisionField(minimum=0)

    @classmethod
    def initial_values(cls, subject: Namespace, actor: Actor) -> dict[str, Any]:
        newest = readmes.find_newest(subject)
        return {"text": newest.text, "seen": newest.number} if newest else {"seen": 0}

    def attempt(self) -> tuple[Outcome | None, int]:
        """Write the README, unless the form asks for a preview."""
        return (None, self._check()) if "preview" in self.data else super().attempt()

    def _check(self) -> int:
        """Add the errors of the text, if it has any; return the HTTP status."""
        self.full_clean()
        try:
            readmes.check_text(self.data.get("text", ""))
        except Refused as refusal:
            return form_messages.add_refusal(self, refusal)
        return 200

    @classmethod
    def perform(cls, namespace: Namespace, **values: Any) -> Outcome:
        """Write the README; the result is the revision in force."""
        readme = readmes.write(namespace, **values)
        if not readme.text:
            return Outcome(f"{namespace} has no README any more.", readme)
        return Outcome(f"Revision {readme.number} of the README is public.", readme)
