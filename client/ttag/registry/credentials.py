"""Tokens: from the environment or a private file, each for one registry only."""

from __future__ import annotations

import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from ttag.errors import FileError, SettingsError

VARIABLE = "TTAG_TOKEN"
FILE_VARIABLE = "TTAG_TOKENS"
OTHERS = stat.S_IRWXG | stat.S_IRWXO


@dataclass(frozen=True, slots=True)
class Credentials:
    """Tokens by the address of a registry. Printing one shows no token."""

    _tokens: Mapping[str, str]

    @classmethod
    def load(cls, environment: Mapping[str, str], registry: str) -> Credentials:
        """Read TTAG_TOKEN, which is for the main registry, and the file of tokens.

        The file is ~/.config/ttag/tokens.toml or what TTAG_TOKENS names; its keys are addresses.
        Raises `SettingsError` if other users can read it.
        """
        tokens = _read_file(_file(environment))
        if token := environment.get(VARIABLE):
            tokens[_origin(registry)] = token
        return cls(tokens)

    def token_for(self, address: str) -> str:
        """Return the token for a registry, or nothing.

        Raises `SettingsError` if it would travel unencrypted over a network.
        """
        token = self._tokens.get(_origin(address), "")
        parts = urlsplit(address)
        if token and parts.scheme != "https" and not is_loopback(parts.hostname or ""):
            raise SettingsError(
                f"The token for {address} is not sent over unencrypted HTTP: use https."
            )
        return token

    def __repr__(self) -> str:
        return f"Credentials({', '.join(self._tokens)})"


def is_loopback(host: str) -> bool:
    """Return whether a host name means this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _origin(address: str) -> str:
    parts = urlsplit(address)
    default = {"http": 80, "https": 443}.get(parts.scheme)
    return f"{parts.scheme}://{parts.hostname}:{parts.port or default}"


def _file(environment: Mapping[str, str]) -> Path | None:
    if chosen := environment.get(FILE_VARIABLE):
        return Path(chosen).expanduser()
    folder = environment.get("XDG_CONFIG_HOME")
    if not folder and "HOME" not in environment:
        return None
    parent = Path(folder) if folder else Path(environment["HOME"]) / ".config"
    path = parent / "ttag" / "tokens.toml"
    try:
        return path if path.exists() else None
    except PermissionError:  # the home of another user, as after sudo: no token is for this one
        return None


def _read_file(path: Path | None) -> dict[str, str]:
    if path is None:
        return {}
    try:
        if path.stat().st_mode & OTHERS:
            raise SettingsError(f"Other users can read the tokens in {path}: run chmod 600 {path}.")
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        # The parser's message may quote the line with the token.
        raise SettingsError(f'{path} is not TOML of the form "https://host" = "token".') from error
    if not all(isinstance(token, str) for token in table.values()):
        raise SettingsError(f'{path} is not TOML of the form "https://host" = "token".')
    return {_origin(address): token for address, token in table.items()}
