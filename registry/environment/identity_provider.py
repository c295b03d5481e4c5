"""The identity provider by which people sign in, from the values of environment variables."""

from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from registry.domain.identity_claims import is_trustworthy
from registry.domain.identity_provider import IdentityProvider

MAX_ISSUER = 200  # characters, with which identities are stored
MAX_NAME = 40


def identity_provider(
    issuer: str, client_id: str, secret: str, name: str
) -> IdentityProvider | None:
    """Return the provider; None without any value. Errors do not echo the secret."""
    if not (issuer or client_id or secret or name):
        return None
    if not (issuer and client_id and secret):
        raise ImproperlyConfigured(
            "REGISTRY_OIDC_ISSUER, REGISTRY_OIDC_CLIENT_ID and REGISTRY_OIDC_CLIENT_SECRET must be "
            "set together: a registry is a client with a secret at its identity provider."
        )
    if not is_trustworthy(issuer) or len(issuer) > MAX_ISSUER:
        raise ImproperlyConfigured(
            f"REGISTRY_OIDC_ISSUER must be an https URL of at most {MAX_ISSUER} characters, "
            f"not {issuer!r}."
        )
    name = name or urlsplit(issuer).netloc
    if len(name) > MAX_NAME or not name.isprintable():
        raise ImproperlyConfigured(
            f"REGISTRY_OIDC_NAME must have at most {MAX_NAME} characters in one line, not {name!r}."
        )
    return IdentityProvider(issuer, client_id, secret, name)
