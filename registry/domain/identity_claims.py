"""The claims by which a namespace recognises CI jobs: which are required, and when they match."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from registry.domain.errors import Code, Fault, echo

GITHUB = "https://token.actions.githubusercontent.com"
# The number of the owner too: a deleted account's name is free for anybody.
REQUIRED_CLAIMS: Mapping[str, tuple[str, ...]] = {GITHUB: ("repository", "repository_owner_id")}
REQUIRED_ELSEWHERE = ("sub",)
STANDARD_CLAIMS = frozenset({"iss", "aud", "exp", "nbf", "iat", "jti"})  # always checked
ANY_REF = "@*"  # at the end of a value: whatever branch, tag or commit follows the @
MAX_CLAIMS = 1000  # characters of all claims as JSON; GitHub's longest have 200 each
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.:/-]{0,63}")
VALUE = re.compile(r"[!-~](?:[ -~]*[!-~])?")  # printable ASCII
LOOPBACK = ("127.0.0.1", "::1", "localhost")


def required_claims(issuer: str) -> tuple[str, ...]:
    """Return the names of the claims that a trusted publisher of an issuer must require."""
    return REQUIRED_CLAIMS.get(issuer, REQUIRED_ELSEWHERE)


def project_of(issuer: str, claims: Mapping[str, Any]) -> str:
    """Return the value of the first required claim, which names the project; empty if absent."""
    return str(claims.get(required_claims(issuer)[0], ""))


def claim_faults(issuer: str, claims: Mapping[str, str]) -> Iterator[Fault]:
    """Yield every reason why claims do not identify the jobs of one project."""
    for name in required_claims(issuer):
        if name not in claims:
            yield _fault(f"the claim {name} is missing", f"{name}=…, exactly as in the token", "")
    for name, value in claims.items():
        if name in STANDARD_CLAIMS or not NAME.fullmatch(name):
            yield _fault(f"{echo(name)} is not a claim to choose", "such as environment", name)
        elif not VALUE.fullmatch(value) or "*" in _fixed_part(issuer, name, value):
            expected = f"printable ASCII; only {ANY_REF} at the end matches more than itself"
            yield _fault(f"{echo(value) or '(empty)'} is not a value of {name}", expected, value)
    if len(claims_text(claims)) > MAX_CLAIMS:
        yield _fault("the claims are too long", f"at most {MAX_CLAIMS} characters as JSON", "")


def _fixed_part(issuer: str, name: str, value: str) -> str:
    """Return the part of a value that matches only itself; all of a required one."""
    return value if name in required_claims(issuer) else value.removesuffix(ANY_REF)


def _fault(message: str, expected: str, value: str) -> Fault:
    return Fault("/claims", Code.REQUEST_INVALID, message, expected, echo(value))


def claims_text(claims: Mapping[str, str]) -> str:
    """Return claims as JSON; equal claims have equal texts."""
    return json.dumps(claims, sort_keys=True)


def claims_match(required: Mapping[str, str], actual: Mapping[str, Any]) -> bool:
    """Return whether an identity token has all required claims."""
    return all(_value_matches(value, actual.get(name)) for name, value in required.items())


def _value_matches(required: str, actual: object) -> bool:
    if not isinstance(actual, str):
        return False
    if required.endswith(ANY_REF):
        return actual.startswith(required.removesuffix("*"))
    return actual == required


def is_trustworthy(url: str) -> bool:
    """Return whether what a URL returns is its owner's: it uses https, or names this machine."""
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname or "", parts.port
    except ValueError:
        return False
    if not host or "@" in parts.netloc or parts.query or parts.fragment:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and host in LOOPBACK)
