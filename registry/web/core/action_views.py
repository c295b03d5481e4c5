"""One view for all actions: show the form, run the action, redirect with a message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.forms import MultipleChoiceField
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render

from registry.actions.action_form import ActionForm, Outcome
from registry.http import reauthentication
from registry.web.core import stashed_forms


# Decision 044: the form shows what an action will change before it is taken.
def action_view(
    request: HttpRequest,
    action: type[ActionForm],
    subject: Any,
    *,
    success_url: str,
    respond: Callable[[Outcome], HttpResponse] | None = None,
    extra_context: Callable[[], dict[str, Any]] = dict,
    is_checked: bool = False,
    **context: Any,
) -> HttpResponse:
    """Show an action's form with its preview; on POST run it and redirect with a message.

    Redirects to `success_url`, which is also the target of the cancel link, unless `respond`
    answers otherwise. Requires a signed-in user. An action that needs the password asks for it
    first, and keeps the form meanwhile. Restores a form stashed before sign-in. Errors are shown at
    their fields and keep all input, also those of permissions: only on GET raises `Refused`
    instead, unless the permission `is_checked`. `extra_context` is called only if a page is
    rendered; its `held` are the values of hidden fields that tell what the page shows.
    """
    actor = reauthentication.actor_of(request)
    form = action(subject, actor, request.POST if request.method == "POST" else None)
    status = 200
    if form.is_bound:
        if form.needs_password:
            stashed_forms.refuse_large(request)
            reauthentication.require(actor)
        outcome, status = form.attempt()
        if outcome is not None:
            return respond(outcome) if respond else done(request, outcome, success_url)
    else:
        if not is_checked:
            action.refuse(subject, actor)
        if form_data := stashed_forms.take_stashed(request):
            form.initial.update(stashed_fields(form, form_data))
    extra = extra_context()
    form.hold(extra.pop("held", {}))
    context = {
        "form": form,
        "form_url": request.path,
        "cancel_url": success_url,
        **action.preview(subject),
        **context,
        **extra,
    }
    return render(request, action.template, context, status=status)


def done(request: HttpRequest, outcome: Outcome, url: str) -> HttpResponse:
    """Redirect after an action, with its message."""
    messages.success(request, outcome.message)
    return HttpResponseRedirect(url)


def stashed_fields(form: ActionForm, form_data: QueryDict) -> dict[str, Any]:
    """Return the stashed values of the form's fields; a list for a multiple choice."""
    return {
        name: form_data.getlist(name) if isinstance(field, MultipleChoiceField) else form_data[name]
        for name, field in form.fields.items()
        if name in form_data
    }
