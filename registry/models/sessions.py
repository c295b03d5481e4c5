"""Sessions, with the account and the size that their limits need."""

from __future__ import annotations

from importlib import import_module

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models

from registry.models.accounts import User


class Session(AbstractBaseSession):
    """The session of a browser. Without an account it is a visitor's."""

    account = models.ForeignKey(User, models.CASCADE, null=True, related_name="+", db_index=False)
    network = models.CharField(
        max_length=64, default="", db_comment="that sent the stored form, of a visitor; or empty"
    )
    size = models.PositiveIntegerField(db_comment="bytes of the row, roughly")

    class Meta(AbstractBaseSession.Meta):
        indexes = (  # covering index: the limits add up sizes
            models.Index(fields=("account", "network", "size"), name="session_sizes"),
        )

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        store: type[SessionBase] = import_module(settings.SESSION_ENGINE).SessionStore
        return store
