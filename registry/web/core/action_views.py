"""One view for all action forms: show the form, run the action, redirect with a message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.forms import MultipleChoiceField
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render

from registry.actions.action_form import ActionForm
from registry.http import reauthentication
from registry.services.core.permissions import Actor
from registry.web.core import stashed_forms

TEMPLATE = "registry/parts/action.html"


def action_view(
    request: HttpRequest,
    form_class: type[ActionForm],
    subject: Any,
    *,
    success_url: str,
    get_success_url: Callable[[Any], str] | None = None,
    extra_context: Callable[[], dict[str, Any]] = dict,
    template: str = TEMPLATE,
    **context: Any,
) -> HttpResponse:
    """Show an action's form; on POST run it and redirect with a message.

    Redirects to `success_url`, which is also the target of the cancel link, unless
    `get_success_url` returns another URL for the form. Requires a signed-in user. Restores a form
    stashed before sign-in. Errors are shown at their fields and keep all input. `extra_context` is
    called only if a page is rendered.
    """
    user: Any = request.user
    form = form_class(subject, Actor(user), request.POST if request.method == "POST" else None)
    status = 200
    if form.is_bound:
        message, status = form.attempt()
        if message is not None:
            messages.success(request, message)
            return HttpResponseRedirect(get_success_url(form) if get_success_url else success_url)
    elif form_data := stashed_forms.take_stashed(request):
        form.initial.update(stashed_fields(form, form_data))
    context = {
        "form": form,
        "form_url": request.path,
        "cancel_url": success_url,
        **context,
        **extra_context(),
    }
    return render(request, template, context, status=status)


def attempt_with_password(
    request: HttpRequest, form: ActionForm, actor: Actor
) -> tuple[Any | None, int]:
    """Run the action of a sent form, after the password if it needs that; else restore the form.

    Returns the result, or None, and the status of the page with the form. A form is stashed while
    its user enters the password.
    """
    if form.is_bound:
        stashed_forms.refuse_large(request)
        if form.needs_password:
            reauthentication.require(actor)
        return form.attempt()
    if form_data := stashed_forms.take_stashed(request):
        form.initial.update(stashed_fields(form, form_data))
    return None, 200


def stashed_fields(form: ActionForm, form_data: QueryDict) -> dict[str, Any]:
    """Return the stashed values of the form's fields; a list for a multiple choice."""
    return {
        name: form_data.getlist(name) if isinstance(field, MultipleChoiceField) else form_data[name]
        for name, field in form.fields.items()
        if name in form_data
    }
