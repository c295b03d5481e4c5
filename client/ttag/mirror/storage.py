"""Reads the files of a mirror from a folder or a web server."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol
from urllib.parse import quote, urlsplit
from urllib.request import url2pathname

from ttag.errors import FileError, NotLocked, SettingsError, Unreachable
from ttag.files import read_regular_file
from ttag.http.cache import Cache
from ttag.http.fetching import Fetcher
from ttag.http.transport import MAX_RESPONSE, Response, Transport
from ttag.log.files import FOLDER

HTTP_PREFIX = "mirror+"


class Storage(Protocol):
    """Files by their path in the mirror."""

    def read(self, path: str, *, is_immutable: bool = False) -> bytes | None:
        """Return the content of a file, or None if there is no such file.

        What is immutable may come from a cache without asking again. Raises `TtagError`.
        """


@dataclass(frozen=True, slots=True)
class Folder:
    """A mirror in a folder."""

    root: Path

    def read(self, path: str, *, is_immutable: bool = False) -> bytes | None:
        """Return the content of a file, or None.

        Raises `FileError` if it cannot be read, or is none: a link would lead out of the mirror,
        and other special files never end or do not answer.
        """
        try:
            return read_regular_file(self.root, path, MAX_RESPONSE)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise FileError(f"{self.root / path} cannot be read: {error.strerror}.") from error


@dataclass
class WebServer:
    """A mirror on a web server, a bucket or a CDN. Its 404 may come with any page.

    Once it could not be reached, it is not asked again: only the cache is.
    """

    fetcher: Fetcher
    is_away: bool = False

    def read(self, path: str, *, is_immutable: bool = False) -> bytes | None:
        """Return the content of a file, or None. Raises `Unreachable`, and `NotLocked` offline."""
        offline = self.fetcher.offline or self.is_away
        fetcher = replace(self.fetcher, offline=offline, warn=self._warn_once)
        try:
            return fetcher.find(
                f"/{quote(path)}", partial(_refuse_page, path), is_immutable=is_immutable
            )
        except NotLocked as error:
            if self.is_away:
                raise Unreachable(f"The mirror is away, and {path} is not in the cache.") from error
            raise

    def _warn_once(self, sentence: str) -> None:
        if not self.is_away:
            self.fetcher.warn(sentence)
        self.is_away = True


def _refuse_page(path: str, response: Response) -> None:
    """Raise `Unreachable` for what cannot be a JSON file, such as the page of a login portal.

    So it never takes the place of what the cache has.
    """
    if not path.endswith(".json"):
        return
    try:
        json.loads(response.body)
    except (ValueError, RecursionError) as error:
        what = response.media_type or "something"
        raise Unreachable(
            f"{path} is damaged, or is not a file of a mirror: {what} was sent."
        ) from error


@dataclass(frozen=True, slots=True)
class MirroredLog:
    """The log in a mirror."""

    storage: Storage

    def read(self, path: str, *, is_immutable: bool = False) -> bytes | None:
        """Return the content of a file of the log, or None."""
        return self.storage.read(f"{FOLDER}/{path}", is_immutable=is_immutable)

    def without_cache(self) -> MirroredLog | None:
        """Return what asks the web server for everything; None for a folder."""
        if not isinstance(self.storage, WebServer) or self.storage.fetcher.cache is None:
            return None
        return MirroredLog(WebServer(replace(self.storage.fetcher, cache=None)))


def is_mirror(address: str) -> bool:
    """Return whether an address is that of a mirror: `file:` or `mirror+https:`."""
    scheme = urlsplit(address).scheme
    return scheme == "file" or scheme.startswith(HTTP_PREFIX)


def refuse_mirror(address: str) -> None:
    """Raise `SettingsError` if an address is that of a mirror, which can only be resolved from."""
    if is_mirror(address):
        raise SettingsError(
            f"{address} is a mirror, which only resolves: for this, set TTAG_REGISTRY to the "
            "address of a registry."
        )


def open_storage(
    address: str,
    *,
    base: Path,
    timeout: float,
    cache: Cache | None,
    offline: bool,
    warn: Callable[[str], None],
    no_cache: bool = False,
) -> Storage:
    """Return the storage at the address of a mirror; a relative path starts at `base`.

    Raises `SettingsError` for any other address.
    """
    if not is_mirror(address):
        raise SettingsError(
            f"{address!r} is not the address of a mirror: expected file:///path or "
            "mirror+https://host/path."
        )
    if urlsplit(address).scheme == "file":
        return Folder(base / url2pathname(urlsplit(address).path))
    server = address.removeprefix(HTTP_PREFIX).rstrip("/")
    transport = Transport(server, timeout=timeout, subject="mirror", no_cache=no_cache)
    return WebServer(Fetcher(transport, cache, offline, warn, has_files=True))
