"""People: the first of them, made by the operator."""

from __future__ import annotations

import secrets

from registry.models import User
from registry.services.writing import exclusive, record


def make_admin(username: str) -> tuple[User, str]:
    """An account that may do everything, and its password; an empty one if the account is there."""
    with exclusive():
        known = User.objects.filter(username=username).first()
        if known:
            return known, ""
        password = secrets.token_urlsafe(12)
        made = User.objects.create_superuser(username, password=password)
        record("account.made", username, actor=made, namespace="", staff=True)
    return made, password
