"""The OpenID Connect provider by which people sign in, where an operator has chosen one."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class IdentityProvider:
    """A provider, and what this registry is there: a client with a secret."""

    issuer: str
    client_id: str
    secret: str = field(repr=False)
    name: str  # that buttons and pages show
