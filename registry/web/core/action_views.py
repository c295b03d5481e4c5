"""Acts on pages: a form that names its consequence, and what comes of it."""

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
    """Show an act; on POST do it, and say so on the page that it leads to.

    That is `leads_to`, where cancelling leads too, unless `done` says of the form another one.
    For who is signed in. What was typed before they had to sign in stands in the form; a refusal
    stands at its field and keeps everything. `more` is what the page shows besides; it
    is computed only where there is a page.
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
    """What was typed, for the fields that there are; all of it where several can be chosen."""
    return {
        name: typed.getlist(name) if isinstance(field, MultipleChoiceField) else typed[name]
        for name, field in form.fields.items()
        if name in typed
    }
