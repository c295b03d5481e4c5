"""Other spellings of a tag."""

from __future__ import annotations

from itertools import islice

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from registry.acts.aliases import AliasOf
from registry.domain.reference import Reference
from registry.services.permissions import Action
from registry.services.reading import curating
from registry.web.acting import acted
from registry.web.changing.subjects import demand, name_of, tag_of
from registry.web.page import signed_in

MOST = 50  # aliases in the list; the most that a tag of the catalogue has is 4


@signed_in
def alias(request: HttpRequest, reference: Reference) -> HttpResponse:
    """An alias pointed at a tag, or at a version of it, beside those there are."""
    tag = tag_of(reference)
    if tag.text != reference.text:
        return redirect("alias", tag.text)
    demand(request, Action.POINT_ALIAS, name_of(tag))
    found = list(islice(curating.aliases_of(tag), MOST + 1))
    return acted(
        request,
        AliasOf,
        reference,
        leads_to=reverse("tag", args=[tag.text]),
        template="registry/changing/alias.html",
        aliases=[(each.text, curating.leads_to(each)) for each in found[:MOST]],
        has_more=len(found) > MOST,
    )
