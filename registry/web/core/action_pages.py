"""The pages of declared actions on what a reference names: versions, tags and aliases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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


def reference_pages(
    subject_type: Subject,
    find: Callable[[Reference], Any],
    url_after: Callable[[type[ActionForm], Any, Outcome | None], str],
    context: Callable[[Any], dict[str, Any]] = lambda _: {},
) -> list[URLPattern]:
    """Return a page for each action on a kind of subject, or for several that share one.

    `find` returns the subject or raises `Refused`, `context` what all pages show of it. They lead
    to `url_after`, which takes the action, the subject and, once it is done, the outcome.
    """

    def view(
        page: str, actions: Sequence[type[ActionForm]], request: HttpRequest, reference: Reference
    ) -> HttpResponse:
        subject = find(reference)
        if str(subject) != str(reference):  # an alias, or another spelling
            return redirect(page, str(subject))
        action = _chosen(actions, request, subject)
        return action_view(
            request,
            action,
            subject,
            success_url=url_after(action, subject, None),
            respond=lambda outcome: done(request, outcome, url_after(action, subject, outcome)),
            extra_context=partial(context, subject),
        )

    pages: dict[str, list[type[ActionForm]]] = {}
    for action in subject_type.actions:
        pages.setdefault(action.page, []).append(action)
    return [
        path(
            f"{page}/<reference:reference>",
            login_required_page(partial(view, page, actions)),
            name=page,
        )
        for page, actions in pages.items()
        if page
    ]


def _chosen(
    actions: Sequence[type[ActionForm]], request: HttpRequest, subject: Any
) -> type[ActionForm]:
    """Return the action that a form names, or else the one that applies to the subject.

    The subject may have changed since the form was shown.
    """
    if len(actions) == 1:
        return actions[0]
    flags = {str(action.base_fields["to"].initial): action for action in actions}
    applicable = next(action for action in actions if action.is_available(subject))
    return flags.get(request.POST.get("to", ""), applicable)
