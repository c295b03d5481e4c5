"""The page that points aliases at a tag."""

from __future__ import annotations

from itertools import islice

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from registry.actions.aliases import AliasForTag
from registry.domain.reference import Reference
from registry.services.core.permissions import Action
from registry.services.tags.aliases import alias_target, aliases_of
from registry.web.core.action_subjects import find_tag, require_permission, tag_name
from registry.web.core.action_views import action_view
from registry.web.core.decorators import login_required_page

MAX_ALIASES = 50  # in the list; a tag of the catalogue has at most 4


@login_required_page
def alias(request: HttpRequest, reference: Reference) -> HttpResponse:
    """Point an alias at a tag or at a version of it; list the existing aliases."""
    tag = find_tag(reference)
    if tag.text != reference.text:
        return redirect("alias", tag.text)
    require_permission(request, Action.POINT_ALIAS, tag_name(tag))
    aliases = list(islice(aliases_of(tag), MAX_ALIASES + 1))
    return action_view(
        request,
        AliasForTag,
        reference,
        success_url=reverse("tag", args=[tag.text]),
        template="registry/actions/alias.html",
        aliases=[(alias.text, str(alias_target(alias))) for alias in aliases[:MAX_ALIASES]],
        has_more=len(aliases) > MAX_ALIASES,
    )
