"""Fixtures of the tests of mail: a mail server on loopback."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.mail_server import MailServer, run_mail_server


@pytest.fixture
def mail_server(settings: Any) -> Iterator[MailServer]:
    """Yield a mail server, to which the settings send mail."""
    with run_mail_server() as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
        settings.DEFAULT_FROM_EMAIL = "Registry <registry@example.org>"
        yield server
