"""The pages of declared actions on what a reference names: versions, tags and aliases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path

from registry.actions.action_form import ActionForm, Outcome
from registry.actions.subjects import Subject
from registry.domain.reference import Reference
from registry.web.core.action_views import action_view, done
from registry.web.core.decorators import login_required_page


@dataclass(frozen=True, slots=True)
class ReferencePages:
    """How the pages of all actions on one kind of subject find it, and where they lead.

    `find` raises `Refused`; `url_after` takes the action, the subject and, once it is done, the
    outcome.
    """

    subject_type: Subject
    find: Callable[[Reference], Any]
    url_after: Callable[[type[ActionForm], Any, Outcome | None], str]
    context: Callable[[Any], dict[str, Any]] = lambda _: {}

    def routes(self) -> list[URLPattern]:
        """Return a page for each action, or for several that share one."""
        pages: dict[str, list[type[ActionForm]]] = {}
        for action in self.subject_type.actions:
            if action.page:
                pages.setdefault(action.page, []).append(action)
        return [
            path(f"{page}/<reference:reference>", self._view(page, actions), name=page)
            for page, actions in pages.items()
        ]

    def _view(self, page: str, actions: Sequence[type[ActionForm]]) -> Any:
        @login_required_page
        def view(request: HttpRequest, reference: Reference) -> HttpResponse:
            subject = self.find(reference)
            if str(subject) != str(reference):  # an alias, or another spelling
                return redirect(page, str(subject))
            action = _chosen(actions, request, subject)
            return action_view(
                request,
                action,
                subject,
                success_url=self.url_after(action, subject, None),
                respond=lambda outcome: done(
                    request, outcome, self.url_after(action, subject, outcome)
                ),
                extra_context=partial(self.context, subject),
            )

        return view


def _chosen(
    actions: Sequence[type[ActionForm]], request: HttpRequest, subject: Any
) -> type[ActionForm]:
    """Return the action that a form names, or else the one that applies to the subject.

    The subject may have changed since the form was shown.
    """
    if len(actions) > 1:
        flags = {str(action.base_fields["to"].initial): action for action in actions}
        applicable = next(action for action in actions if action.is_available(subject))
        return flags.get(request.POST.get("to", ""), applicable)
    return actions[0]
