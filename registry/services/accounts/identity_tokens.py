"""Verifies the identity tokens of CI jobs: JSON Web Tokens of OpenID Connect providers."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import jwt

from registry.domain.errors import Code, Refused, echo
from registry.services.accounts.issuer_keys import ALGORITHMS, issuer_keys

FORM = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+")  # RFC 7515, compact
MAX_IDENTITY_TOKEN = 16 * 1024  # characters; GitHub's have some 1,500
LEEWAY = 30  # seconds that clocks may differ
REQUIRED = ["iss", "sub", "aud", "iat", "exp"]
LAST_SECOND = 253402300799  # of the year 9999, the last that a date can hold


@dataclass(frozen=True, slots=True)
class Identity:
    """The verified claims of an identity token."""

    issuer: str
    claims: Mapping[str, Any]
    expires: datetime  # from then on its issuer's clock and ours refuse it
    digest: str  # SHA-256 of its issuer and id: equal for the same token only


def verify(text: str, *, audience: str, is_trusted: Callable[[str], bool]) -> Identity:
    """Return the identity that a token proves to this registry, whose address is the audience.

    Keys are fetched from trusted issuers only. Raises `Refused`: UNAUTHENTICATED with the reason
    why the token is not valid, BUSY if the keys of its issuer cannot be fetched.
    """
    key_id, issuer = read_unverified(text)
    if not is_trusted(issuer):
        raise _invalid(f"no trusted publisher of this registry has the issuer {echo(issuer)}")
    key = issuer_keys.find(issuer, key_id)
    if key is None:
        raise _invalid(f"{issuer} has no key {echo(key_id or '(without an id)')}")
    claims = verified_claims(text, key, issuer=issuer, audience=audience)
    seconds = int(claims["exp"]) + LEEWAY
    digest = _digest(issuer, str(claims.get("jti") or text.rpartition(".")[0]))
    return Identity(issuer, claims, datetime.fromtimestamp(seconds, UTC), digest)


def verified_claims(text: str, key: jwt.PyJWK, *, issuer: str, audience: str) -> Mapping[str, Any]:
    """Return the claims of a token that an issuer has signed by this key, for this audience only.

    Raises `Refused` (UNAUTHENTICATED) with the reason why it is not valid.
    """
    try:
        claims = jwt.decode(
            text,
            key,
            algorithms=ALGORITHMS,
            issuer=issuer,
            audience=audience,
            leeway=LEEWAY,
            options={"require": REQUIRED, "enforce_minimum_key_length": True},
        )
    except (jwt.PyJWTError, TypeError, OverflowError) as error:
        raise _invalid(_reason(error, audience)) from None
    _refuse_unusable(claims, audience)
    return claims


def read_unverified(text: str) -> tuple[str | None, str]:
    """Return the key's id and the issuer that a token names, before its signature is verified.

    Raises `Refused` (UNAUTHENTICATED) for a text that is no token, or has no algorithm of ours.
    """
    if len(text) > MAX_IDENTITY_TOKEN or not FORM.fullmatch(text):
        raise _invalid("it is not a JSON Web Token")
    try:
        token = jwt.decode_complete(text, options={"verify_signature": False})
    except (jwt.PyJWTError, ValueError, RecursionError):
        raise _invalid("it is not a JSON Web Token") from None
    if token["header"].get("alg") not in ALGORITHMS:
        raise _invalid(f"it is not signed with {' or '.join(ALGORITHMS)}")
    return token["header"].get("kid"), str(token["payload"].get("iss"))


def _refuse_unusable(claims: Mapping[str, Any], audience: str) -> None:
    """Raise `Refused` for a token that is also for somebody else, or is valid for ever."""
    if claims["aud"] not in (audience, [audience]):
        raise _invalid(f"it has other audiences besides {audience}")
    if int(claims["exp"]) > LAST_SECOND - LEEWAY:
        raise _invalid("it does not expire")


def _reason(error: Exception, audience: str) -> str:
    """Return why a token is refused. All of it concerns the token only, which its sender has."""
    reasons: dict[type[Exception], str] = {
        jwt.ExpiredSignatureError: "it has expired",
        jwt.ImmatureSignatureError: "it is not valid yet",
        jwt.InvalidAudienceError: f"its audience is not {audience}",
        jwt.InvalidAlgorithmError: "its algorithm is not that of its key",
        jwt.InvalidSignatureError: "its signature is wrong",
        jwt.InvalidKeyError: "its key is too short",
    }
    if isinstance(error, jwt.MissingRequiredClaimError):
        return f"it lacks the claim {error.claim}"
    return reasons.get(type(error), "one of its claims has an invalid value")


def _invalid(reason: str) -> Refused:
    return Refused(Code.UNAUTHENTICATED, f"This identity token is refused: {reason}.")


def _digest(issuer: str, token_id: str) -> str:
    return hashlib.sha256(f"{issuer}\n{token_id}".encode()).hexdigest()
