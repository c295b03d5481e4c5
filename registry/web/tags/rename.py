"""The page that renames a tag."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from registry.actions.renaming import RenameTag
from registry.domain.reference import Reference
from registry.services.core.permissions import Action
from registry.services.tags import status
from registry.services.tags.aliases import alias_target, aliases_of
from registry.web.core.action_subjects import (
    find_tag,
    require_applicable,
    require_permission,
    tag_name,
)
from registry.web.core.action_views import action_view
from registry.web.core.decorators import login_required_page


@login_required_page
def rename(request: HttpRequest, reference: Reference) -> HttpResponse:
    """Publish the tag's body under a new name, and deprecate the tag in its favour."""
    tag = find_tag(reference)
    if tag.text != str(reference):
        return redirect("rename", tag.text)
    require_permission(request, Action.DEPRECATE, tag_name(tag))
    require_applicable(request, RenameTag, tag, "deprecated already")
    pinned = [alias for alias in aliases_of(tag)[:50] if str(alias.selector)]
    return action_view(
        request,
        RenameTag,
        tag,
        success_url=reverse("tag", args=[tag.text]),
        get_success_url=lambda form: reverse("tag", args=[form.cleaned_data["name"]]),
        template="registry/actions/rename.html",
        pinned_aliases=[(alias.text, str(alias_target(alias))) for alias in pinned],
        is_fully_yanked=status.tag_status(tag.text).is_fully_yanked,
    )
