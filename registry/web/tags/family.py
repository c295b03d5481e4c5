"""The page that marks a tag as a family, or as none."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from registry.actions.families import MarkFamily, UnmarkFamily
from registry.domain.reference import Reference
from registry.services.core.permissions import Action
from registry.web.core.action_subjects import find_tag, require_permission, tag_name
from registry.web.core.action_views import action_view
from registry.web.core.decorators import login_required_page


@login_required_page
def family(request: HttpRequest, reference: Reference) -> HttpResponse:
    """Mark a tag as a family if it is none, or as none."""
    tag = find_tag(reference)
    if tag.text != str(reference):
        return redirect("family", tag.text)
    require_permission(request, Action.MARK_FAMILY, tag_name(tag))
    default = "no-family" if tag.is_family else "family"
    to = request.POST.get("to", default)  # the tag may have changed since the form was shown
    return action_view(
        request,
        MarkFamily if to == "family" else UnmarkFamily,
        tag,
        success_url=reverse("tag", args=[tag.text]),
    )
