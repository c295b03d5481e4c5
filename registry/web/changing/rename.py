"""A tag under another name."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from registry.acts.renaming import Rename
from registry.domain.reference import Reference
from registry.services.permissions import Action
from registry.services.reading import curating, standing
from registry.web.acting import acted
from registry.web.changing.subjects import demand, name_of, refuse_done, tag_of
from registry.web.page import signed_in


@signed_in
def rename(request: HttpRequest, reference: Reference) -> HttpResponse:
    """A new tag with the body of this one, which is deprecated toward it."""
    tag = tag_of(reference)
    if tag.text != str(reference):
        return redirect("rename", tag.text)
    demand(request, Action.DEPRECATE, name_of(tag))
    refuse_done(request, Rename, tag, "deprecated already")
    fixed = [each for each in curating.aliases_of(tag)[:50] if str(each.selector)]
    return acted(
        request,
        Rename,
        tag,
        leads_to=reverse("tag", args=[tag.text]),
        done=lambda form: reverse("tag", args=[form.cleaned_data["name"]]),
        template="registry/changing/rename.html",
        fixed=[(each.text, curating.leads_to(each)) for each in fixed],
        is_gone=standing.of_tag(tag.text).is_gone,
    )
