"""Tokens for CI jobs: the identity that the CI system vouches for, exchanged at the registry."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from ttag.errors import SettingsError, TokenMissing, TtagError
from ttag.http.transport import Transport
from ttag.references import Reference
from ttag.registry.credentials import is_loopback
from ttag.responses.values import read

if TYPE_CHECKING:
    from ttag.registry.registry import Registry

IDENTITY = "TTAG_ID_TOKEN"  # the identity itself, as GitLab's `id_tokens` sets it
GITHUB_URL = "ACTIONS_ID_TOKEN_REQUEST_URL"  # where a job of GitHub Actions asks for it,
GITHUB_TOKEN = "ACTIONS_ID_TOKEN_REQUEST_TOKEN"  # noqa: S105 - and the variable with the permission


def has_identity(environment: Mapping[str, str]) -> bool:
    """Return whether this is a CI job that can prove its identity.

    Raises `TokenMissing` for a job of GitHub Actions that lacks the permission to.
    """
    if environment.get(IDENTITY) or environment.get(GITHUB_URL):
        return True
    if environment.get("GITHUB_ACTIONS") == "true":
        raise TokenMissing(
            "There is no token, and this job may not ask GitHub for its identity: "
            "add `id-token: write` to the permissions of the job, or set TTAG_TOKEN."
        )
    return False


def token_for(registry: Registry, tag: str, environment: Mapping[str, str]) -> str:
    """Return a token to write a tag for 15 minutes, for the identity of this CI job.

    Raises `SettingsError` if the identity is for another registry or would travel unencrypted,
    `Refused` if the registry does not trust the job, and `Unreachable`.
    """
    _refuse_unencrypted(registry.address)
    audience = audience_of(registry.address)
    request = {"token": _identity(environment, audience), "tag": Reference.parse(tag).name}
    answer = registry.post("/trusted-publishing", request)
    return read(
        lambda answer: str(answer["token"]), answer, f"The registry {registry.address}", "a token"
    )


def audience_of(address: str) -> str:
    """Return what the identity must be made for: scheme and host of the registry."""
    parts = urlsplit(address)
    default = {"http": 80, "https": 443}.get(parts.scheme)
    host = parts.netloc.rpartition("@")[2].lower()
    return f"{parts.scheme}://{host.removesuffix(f':{default}')}"


def _identity(environment: Mapping[str, str], audience: str) -> str:
    identity = environment.get(IDENTITY)
    if not identity:
        return _identity_from_github(environment, audience)
    # Sent anywhere else, it could be used at the registry that it is for.
    if (audiences := _audiences_in(identity)) != [audience]:
        raise SettingsError(
            f"{IDENTITY} is for {', '.join(audiences)}: its audience must be {audience}."
        )
    return identity


def _audiences_in(identity: str) -> list[str]:
    """Return the audiences that an identity token states. Raises `SettingsError`."""
    try:
        body = identity.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
        audiences = claims["aud"]
        return [audiences] if isinstance(audiences, str) else list(map(str, audiences))
    except (IndexError, ValueError, KeyError, TypeError, RecursionError):
        raise SettingsError(f"{IDENTITY} is not a JSON Web Token with an audience.") from None


def _identity_from_github(environment: Mapping[str, str], audience: str) -> str:
    address = environment[GITHUB_URL]
    _refuse_unencrypted(address)
    source = Transport(address, environment.get(GITHUB_TOKEN, ""))
    separator = "&" if urlsplit(address).query else "?"
    path = f"{separator}audience={quote(audience, safe='')}"
    try:
        answer = source.request_json("GET", path, authorized=True)
    except TtagError as error:
        raise TokenMissing(f"GitHub gave this job no identity: {error.message}") from error
    return read(lambda answer: str(answer["value"]), answer, "GitHub", "an identity token")


def _refuse_unencrypted(address: str) -> None:
    """Raise `SettingsError` if a secret would travel unencrypted over a network."""
    parts = urlsplit(address)
    if parts.scheme != "https" and not is_loopback(parts.hostname or ""):
        raise SettingsError(f"The identity of this job is not sent to {address}: use https.")
