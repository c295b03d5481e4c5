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
from registry.services.core.permissions import Actor
from registry.web.core import stashed_forms


def action_view(
    request: HttpRequest,
    action: type[ActionForm],
    subject: Any,
    *,
    success_url: str,
    get_success_url: Callable[[Outcome], str] | None = None,
    extra_context: Callable[[], dict[str, Any]] = dict,
    **context: Any,
) -> HttpResponse:
    """Show an action's form with its preview; on POST run it and redirect with a message.

    Redirects to `success_url`, which is also the target of the cancel link, unless
    `get_success_url` returns another URL for the outcome. Requires a signed-in user. Restores a
    form stashed before sign-in. Errors are shown at their fields and keep all input, also those of
    permissions: only on GET raises `Refused` instead. `extra_context` is called only if a page is
    rendered.
    """
    actor = Actor(signed_in_user(request))
    form = action(subject, actor, request.POST if request.method == "POST" else None)
    status = 200
    if form.is_bound:
        outcome, status = form.attempt()
        if outcome is not None:
            messages.success(request, outcome.message)
            url = get_success_url(outcome) if get_success_url else success_url
            return HttpResponseRedirect(url)
    else:
        action.refuse(subject, actor)
        restore_stashed(request, form)
    context = {
        "form": form,
        "form_url": request.path,
        "cancel_url": success_url,
        **action.preview(subject),
        **context,
        **extra_context(),
    }
    return render(request, action.template, context, status=status)


def signed_in_user(request: HttpRequest) -> Any:
    """Return the user of a request to a page that requires one."""
    return request.user


def attempt_with_password(
    request: HttpRequest, form: ActionForm, actor: Actor
) -> tuple[Outcome | None, int]:
    """Run the action of a sent form, after the password if it needs that; else restore the form.

    Returns the outcome, or None, and the status of the page with the form. A form is stashed while
    its user enters the password.
    """
    if form.is_bound:
        stashed_forms.refuse_large(request)
        if form.needs_password:
            reauthentication.require(actor)
        return form.attempt()
    restore_stashed(request, form)
    return None, 200


def restore_stashed(request: HttpRequest, form: ActionForm) -> None:
    """Begin a form with the values that were stashed for this path, if any."""
    if form_data := stashed_forms.take_stashed(request):
        form.initial.update(stashed_fields(form, form_data))


def stashed_fields(form: ActionForm, form_data: QueryDict) -> dict[str, Any]:
    """Return the stashed values of the form's fields; a list for a multiple choice."""
    return {
        name: form_data.getlist(name) if isinstance(field, MultipleChoiceField) else form_data[name]
        for name, field in form.fields.items()
        if name in form_data
    }
