"""The base class of all API resources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from django.http import HttpResponse, QueryDict
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.serializers import Serializer
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from registry.api.core import responses
from registry.api.core.negotiation import JsonOnly
from registry.api.core.request_bodies import unknown_name
from registry.api.core.throttling import RequestThrottle
from registry.domain.errors import Code, Fault, Refused, refuse_all
from registry.domain.names.choices import repeated
from registry.domain.reference import Reference
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Subject
from registry.services.versions import selection


class Resource(APIView):
    """An API resource: raises errors from path converters and answers CORS preflights.

    Requests that write need a `write_action` and its `subjects`, which
    `registry.api.core.permissions` checks.
    """

    content_negotiation_class = JsonOnly
    throttle_classes: Sequence[type[BaseThrottle]] = (RequestThrottle,)
    write_action: ClassVar[Action | None] = None  # the action of POST or PUT
    reads_by_post: ClassVar[bool] = False  # POST is a query that is too long for a URL
    parameters: ClassVar[frozenset[str]] = frozenset()  # of the query string: those described
    lists: ClassVar[frozenset[str]] = frozenset()  # parameters that may be repeated

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "parameters" not in vars(cls):
            handlers = [getattr(cls, method, None) for method in cls.http_method_names]
            names = (getattr(handler, "query_names", ()) for handler in handlers)
            cls.parameters = frozenset().union(*names)
            lists = (getattr(handler, "list_names", ()) for handler in handlers)
            cls.lists = frozenset().union(*lists)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Reject unsupported methods, bad references and parameters before any lookup."""
        if request.method not in self.allowed_methods:
            raise MethodNotAllowed(str(request.method))
        for value in kwargs.values():
            if isinstance(value, Refused):
                is_read = request.method in SAFE_METHODS
                raise selection.with_similar_tags(value, is_read=is_read)
        refuse_all(_parameter_faults(request.query_params, self.parameters, self.lists))
        super().initial(request, *args, **kwargs)

    def subjects(self, *_args: Any, **_kwargs: Any) -> Sequence[Subject]:
        """Return the subjects of the action that the path names. Raises `Refused`."""
        raise NotImplementedError

    def check_permissions(self, request: Request) -> None:
        """Count the request before checking its permission, which takes a query."""
        super().check_throttles(request)
        super().check_permissions(request)

    def check_throttles(self, request: Request) -> None:
        """Do nothing: `check_permissions` has counted the request."""

    def get_throttles(self) -> list[BaseThrottle]:
        """Return the rate limits of a write; reads have none."""
        is_read = self.request.method in SAFE_METHODS
        return [] if is_read else [throttle() for throttle in self.throttle_classes]

    def answer(self, serializer: type[Serializer], instance: Any, **options: Any) -> HttpResponse:
        """Return a serialized instance as JSON."""
        data = serializer(instance, context={"request": self.request}).data
        return responses.of_json(self.request, data, **options)

    def options(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Allow other origins to read and to send conditional requests."""
        response = HttpResponse(status=204)
        response["Allow"] = ", ".join(self.allowed_methods)
        response["Access-Control-Allow-Origin"] = "*"
        response["Access-Control-Allow-Methods"] = "GET, HEAD, OPTIONS"
        response["Access-Control-Allow-Headers"] = "Accept, If-None-Match"
        response["Access-Control-Max-Age"] = "86400"
        return response


def _parameter_faults(
    query: QueryDict, allowed: frozenset[str], lists: frozenset[str]
) -> Iterator[Fault]:
    """Yield the faults of unknown parameters, and of repeated ones but lists."""
    for name, values in query.lists():
        if name not in allowed:
            expected = "one of " + ", ".join(sorted(allowed)) if allowed else "no parameter"
            yield unknown_name("parameter", name, allowed, expected=expected)
        elif len(values) > 1 and name not in lists:
            yield repeated(name)


def name_of(reference: Reference) -> str:
    """Return the tag that a path names. Raises `Refused` (REFERENCE_INVALID) for a version."""
    if str(reference.selector):
        raise Refused(
            Code.REFERENCE_INVALID,
            f"{reference} names a version, but this route takes a tag: {reference.text}.",
        )
    return reference.text
