"""The mail server and the sender of mail, from environment variables."""

from dataclasses import dataclass
from email.utils import getaddresses
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email

from registry.environment.variables import text


@dataclass(frozen=True, slots=True)
class Mail:
    """An SMTP server and its credentials; without a host, no mail is sent."""

    host: str = ""
    port: int = 0
    user: str = ""
    password: str = ""
    tls: bool = False  # implicit, as with smtps
    starttls: bool = False


def mail(url: str) -> Mail:
    """Return the mail server of an smtp or smtps URL. Errors do not echo it: it has a password."""
    if not url:
        return Mail()
    try:
        parts = urlsplit(url)
        port, options = parts.port, parse_qs(parts.query, strict_parsing=bool(parts.query))
    except ValueError:
        parts, port, options = SplitResult("", "", "", "", ""), None, {}
    starttls = options.pop("tls", ["0"])[-1]
    is_complete = parts.scheme in {"smtp", "smtps"} and parts.hostname and parts.path in {"", "/"}
    is_twice_secure = parts.scheme == "smtps" and starttls == "1"
    is_known = not options and starttls in {"0", "1"} and not is_twice_secure
    if not is_complete or parts.fragment or not is_known:
        raise ImproperlyConfigured(
            "EMAIL_URL must read smtp://user:password@host:587?tls=1 or "
            "smtps://user:password@host:465, with special characters percent-encoded (%40)."
        )
    tls = parts.scheme == "smtps"
    return Mail(
        host=parts.hostname or "",
        port=port or (465 if tls else 587 if starttls == "1" else 25),
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        tls=tls,
        starttls=starttls == "1",
    )


def sender(name: str, *, required: bool) -> str:
    """Return a variable as the sender of mail: `address` or `name <address>`."""
    value = text(name)
    if not value and not required:
        return ""
    try:
        ((_, address),) = getaddresses([value])
        if not value.isprintable():
            raise ValueError(value)
        validate_email(address)
    except (ValidationError, ValueError):
        raise ImproperlyConfigured(
            f"With EMAIL_URL, {name} must be the sender of mail, such as "
            f"'Registry <registry@example.org>', not {value!r}."
        ) from None
    return value
