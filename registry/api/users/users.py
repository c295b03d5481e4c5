"""GET users/<name>: an account, as its page shows it."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from registry.api.core import parameters
from registry.api.core.openapi_schema import PAGED, in_path, operation
from registry.api.core.resource import Resource
from registry.api.users.serializers import UserSerializer
from registry.domain.errors import Code
from registry.services.accounts import profiles


class UserView(Resource):
    """An open account with what it did in public."""

    @operation(
        "user",
        "An account, with the versions that it wrote",
        UserSerializer,
        Code.USER_UNKNOWN,
        parameters=[in_path("name", {"type": "string"}, "a username, in any case"), *PAGED],
    )
    def get(self, request: Request, name: str) -> HttpResponse:
        """Return an open account with a page of its versions, newest first."""
        user = profiles.find_open_account(name)
        profile = profiles.profile(user, **parameters.requested_page(request))
        return self.answer(UserSerializer, profile)
