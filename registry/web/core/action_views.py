"""One view for all action forms: show the form, run the action, redirect with a message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.forms import MultipleChoiceField
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render

from registry.actions.action_form import ActionForm
from registry.services.core.permissions import Actor
from registry.web.core import stashed_forms

FORM = "registry/parts/act.html"


def action_view(
    request: HttpRequest,
    act: type[ActionForm],
    subject: Any,
    *,
    leads_to: str,
    done: Callable[[Any], str] | None = None,
    more: Callable[[], dict[str, Any]] = dict,
    template: str = FORM,
    **context: Any,
) -> HttpResponse:
    """Show an action's form; on POST run it and redirect with a message.

    Redirects to `leads_to`, the target of the cancel link, unless `done` returns another URL for
    the form. Requires a signed-in user. Restores what was typed before signing in. Errors are shown
    at their fields and keep all input. `more` returns further template context; it is called only
    if a page is rendered.
    """
    user: Any = request.user
    form = act(subject, Actor(user), request.POST if request.method == "POST" else None)
    status = 200
    if form.is_bound:
        sentence, status = form.attempt()
        if sentence is not None:
            messages.success(request, sentence)
            return HttpResponseRedirect(done(form) if done else leads_to)
    elif typed := stashed_forms.take_stashed(request):
        form.initial.update(stashed_fields(form, typed))
    context = {"form": form, "here": request.path, "row_url": leads_to, **context, **more()}
    return render(request, template, context, status=status)


def stashed_fields(form: ActionForm, typed: QueryDict) -> dict[str, Any]:
    """Return the stashed values of the form's fields; a list for a multiple choice."""
    return {
        name: typed.getlist(name) if isinstance(field, MultipleChoiceField) else typed[name]
        for name, field in form.fields.items()
        if name in typed
    }
