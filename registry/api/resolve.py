"""GET resolve/<reference>, POST resolve: the main job, for one reference or for many."""

from __future__ import annotations

import json
from collections.abc import Iterable
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse
from django.utils.encoding import iri_to_uri
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from registry.api import answers, bodies, parameters
from registry.api.base import Resource
from registry.api.described import resolving as described
from registry.api.negotiation import chosen, named
from registry.api.problems import body
from registry.domain.errors import Code, Refused
from registry.domain.exporting import Loss
from registry.domain.reference import Reference
from registry.http.caching import Policy, version_policy
from registry.services import exporting, resolving
from registry.services.exporting import Rendering, Wish
from registry.services.resolving import Answer

MAX_BATCH = 1000  # references of one request
MAX_BATCH_BYTES = 512 * 1024  # of its JSON: the longest references, with room


MOST_NAMED = 50  # places that the header Target-Dropped names; servers bound their headers


class Resolve(Resource):
    """Reference to target: stored text, found with two queries."""

    parameters = frozenset({"format", "node", "record", "strict"})

    @extend_schema(**described.RESOLVE)
    def get(self, request: Request, reference: Reference) -> HttpResponse:
        """Resolve a reference in the format asked for."""
        wish = Wish(
            chosen(request._request),
            is_recorded=parameters.switch(request._request, "record"),
            is_strict=parameters.switch(request._request, "strict"),
        )
        answer = resolving.resolve(reference)
        if node := request.GET.get("node"):
            answer = resolving.at(answer, node)
        return rendered(request, answer, wish)


class ResolveMany(Resource):
    """Many references at once: for a build that is made of many targets."""

    reads_by_post = True
    throttle_classes = ()  # a read, though it is sent

    @extend_schema(**described.RESOLVE_MANY)
    def post(self, request: Request) -> HttpResponse:
        """A resolution or a problem for each reference, in their order."""
        said = bodies.members(
            request._request,
            required=("references",),
            optional=("format", "record", "strict"),
            most=MAX_BATCH_BYTES,
        )
        wish = Wish(
            named(bodies.text_of(said, "format", "json")),
            is_recorded=bodies.switch_of(said, "record"),
            is_strict=bodies.switch_of(said, "strict"),
        )
        references = bodies.texts_of(said, "references")
        if len(references) > MAX_BATCH:
            detail = f"{len(references)} references are too many: at most {MAX_BATCH}."
            raise Refused(Code.TOO_LARGE, detail)
        answered = dict(zip(references, resolving.resolve_all(references), strict=True))
        found = exporting.render_all(list(answered.values()), wish)
        results = dict(zip(answered, (_result(each, wish) for each in found), strict=True))
        text = f'{{"results":[{",".join(results[reference] for reference in references)}]}}'
        resolving.bound(len(text.encode()))
        return answers.of(request._request, text, policy=Policy.NO_STORE)


def _result(found: Rendering | Refused, wish: Wish) -> str:
    """One result as JSON; text stands in an object beside what it does not say."""
    if isinstance(found, Refused):
        return json.dumps(body(found), ensure_ascii=False)
    if wish.form.is_json:
        return found.text
    said = {"text": found.text, "dropped": [loss.as_json for loss in found.dropped]}
    return json.dumps(said, ensure_ascii=False)


def rendered(request: Request, answer: Answer, wish: Wish, status: int = 200) -> HttpResponse:
    """An answer in a format, with the headers that say what it is."""
    rendering = exporting.render(answer, wish)
    is_exact = not (answer.is_floating or answer.is_alias)
    policy = version_policy(is_exact=is_exact, is_closed=wish.form.is_closed)
    response = answers.of(
        request._request,
        rendering.text,
        media_type=wish.form.media_type,
        policy=policy,
        status=status,
    )
    response["Target-Version"] = answer.exact.partition("@")[2]
    response["Target-Digest"] = answer.digest
    if policy is not Policy.IMMUTABLE:  # kept for a year, it could not say what happens then
        response["Target-Status"] = answer.status
    if rendering.dropped and not wish.form.is_json:
        response["Target-Dropped"] = _header(rendering.dropped)
    if not is_exact:
        response["Content-Location"] = _location(answer, wish)
    return response


def _header(dropped: Iterable[Loss]) -> str:
    """The places as a list of strings (RFC 9651); the first 50, and then how many more there are.

    Names of options and labels of devices are ASCII without quotes and backslashes.
    """
    places = [f'"{loss.pointer}"' for loss in dropped]
    named, more = places[:MOST_NAMED], len(places) - MOST_NAMED
    return ", ".join([*named, str(more)] if more > 0 else named)


def _location(answer: Answer, wish: Wish) -> str:
    path = iri_to_uri(reverse("api:resolve", args=[answer.exact]))
    asked = {
        **({"format": wish.form.name} if wish.form.name != "json" else {}),
        **({"node": answer.part.pointer} if answer.part else {}),
        **({"record": "1"} if wish.is_recorded else {}),
        **({"strict": "1"} if wish.is_strict else {}),
    }
    return f"{path}?{urlencode(asked, safe='/')}" if asked else path
