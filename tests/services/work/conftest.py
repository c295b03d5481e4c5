"""Fixtures of the tests of the worker."""

from tests.services.outbox.conftest import mail_server

__all__ = ["mail_server"]
