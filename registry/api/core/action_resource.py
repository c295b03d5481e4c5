"""Routes of declared actions: one resource for all, with a subclass for each kind of subject."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from django.http import HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.encoding import iri_to_uri
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.serializers import Serializer

from registry.actions.action_form import ActionForm, Outcome, Route
from registry.actions.subjects import Subject
from registry.api.core.openapi_schema import header, operation
from registry.api.core.permissions import actor_of
from registry.api.core.request_bodies import RequestBody
from registry.api.core.resource import Resource
from registry.domain.errors import Code
from registry.http.caching import CachePolicy


class ActionResource(Resource):
    """The actions on one kind of subject: how a path names it, and what represents it."""

    subject_type: ClassVar[Subject]
    path: ClassVar[str] = "{slug}/<reference:reference>"
    url_name: ClassVar[str] = "{slug}"
    method: ClassVar[str] = "post"
    serializer: ClassVar[type[Serializer]]
    codes: ClassVar[Sequence[Code]]  # errors of all these actions
    described: ClassVar[Sequence[OpenApiParameter]]  # their parameters
    created: ClassVar[str] = ""  # what the header Location leads to

    declared: ClassVar[type[ActionForm]]
    body: ClassVar[RequestBody]

    def name_of(self, *args: Any, **kwargs: Any) -> Any:
        """Return what services take for the subject of a path. Raises `Refused`."""
        (name,) = self.subjects(*args, **kwargs)
        return name

    def conditions(self, request: Request) -> dict[str, Any]:
        """Return the values that headers hold. Raises `Refused`."""
        return {}

    def represented(self, name: Any, outcome: Outcome) -> Any:
        """Return what the serializer takes after an action."""
        return outcome.result

    def perform(self, request: Request, **path: Any) -> HttpResponse:
        """Read the request, call the service, and return the subject as it is now."""
        name, conditions = self.name_of(**path), self.conditions(request)
        members = self.body.read(request)
        values = {name: members[member] for name, member in self.declared.member_names().items()}
        outcome = self.declared.perform(name, actor=actor_of(request), **conditions, **values)
        response = self.answer(
            self.serializer,
            self.represented(name, outcome),
            policy=CachePolicy.NO_STORE,
            status=outcome.status,
        )
        if outcome.status == 201:
            response["Location"] = iri_to_uri(reverse("api:resolve", args=[outcome.location]))
        return response


def action_routes(resource: type[ActionResource]) -> list[URLPattern]:
    """Return the routes of all actions on a kind of subject that the API offers."""
    return [
        path(
            resource.path.format(slug=action.slug),
            _resource_of(resource, action, action.route).as_view(),
            name=resource.url_name.format(slug=action.slug),
        )
        for action in resource.subject_type.actions
        if action.route
    ]


def _resource_of(
    base: type[ActionResource], action: type[ActionForm], route: Route
) -> type[ActionResource]:
    """Return the resource of one action, described for OpenAPI."""

    def perform(self: ActionResource, request: Request, **path: Any) -> HttpResponse:
        return self.perform(request, **path)

    perform.__doc__ = action.__doc__
    body = RequestBody(route.request, route.description, action.members())
    created = [header("Location", f"the path of the new {base.created}", of=[201], always=True)]
    describe = operation(
        route.operation or action.slug,
        route.summary,
        dict.fromkeys(route.statuses, base.serializer),
        *base.codes,
        *route.codes,
        parameters=[*base.described, *(created if 201 in route.statuses else ())],
        request=body,
        needs_token=True,
    )
    attributes = {"declared": action, "body": body, "write_action": action.permission}
    return type(action.__name__, (base,), attributes | {base.method: describe(perform)})
