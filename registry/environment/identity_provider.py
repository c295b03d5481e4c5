"""The identity provider by which people sign in, from environment variables."""

from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from registry.domain.identity_claims import is_trustworthy
from registry.domain.identity_provider import IdentityProvider
from registry.environment.variables import text

ISSUER = "REGISTRY_OIDC_ISSUER"
CLIENT = "REGISTRY_OIDC_CLIENT_ID"
SECRET = "REGISTRY_OIDC_CLIENT_SECRET"  # noqa: S105 - the name of a variable
NAME = "REGISTRY_OIDC_NAME"
MAX_ISSUER = 200  # characters, with which identities are stored
MAX_NAME = 40


def identity_provider() -> IdentityProvider | None:
    """Return the provider; None if no variable is set. Errors do not echo the secret."""
    names = (ISSUER, CLIENT, SECRET, NAME)
    values = {name: text(name) for name in names}
    if not any(values.values()):
        return None
    missing = [name for name in names[:3] if not values[name]]
    if missing:
        raise ImproperlyConfigured(
            f"{ISSUER}, {CLIENT} and {SECRET} must be set together; without: {', '.join(missing)}."
        )
    issuer = values[ISSUER]
    if not is_trustworthy(issuer) or len(issuer) > MAX_ISSUER:
        raise ImproperlyConfigured(
            f"{ISSUER} must be an https URL of at most {MAX_ISSUER} characters, not {issuer!r}."
        )
    name = values[NAME] or urlsplit(issuer).netloc
    if len(name) > MAX_NAME or not name.isprintable():
        raise ImproperlyConfigured(
            f"{NAME} must have at most {MAX_NAME} characters in one line, not {name!r}."
        )
    return IdentityProvider(issuer, values[CLIENT], values[SECRET], name)
