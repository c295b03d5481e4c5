"""A connection to a registry: where it is, and who asks it for what."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import quote, urlencode

from ttag.errors import Unreachable
from ttag.http.cache import Cache
from ttag.http.fetching import Fetcher
from ttag.http.transport import Transport
from ttag.log.notes import Key
from ttag.mirror.storage import refuse_mirror
from ttag.references import Reference
from ttag.resolution import ExportOptions
from ttag.settings import check_address

API = "/api/v1"
SAFE = "/:@,"  # characters of references that paths hold as they are
Parameters: TypeAlias = "Mapping[str, str] | Sequence[tuple[str, str]]"


def api_path(path: str, parameters: Parameters | None = None) -> str:
    """Return a path below the API's, such as `/tags`, with a query."""
    query = f"?{urlencode(parameters)}" if parameters else ""
    return f"{API}{quote(path, safe=SAFE)}{query}"


def resolve_path(reference: Reference, form: str, options: ExportOptions) -> str:
    """Return the path of a reference, or of a node of it, in a format."""
    parameters = {"format": form, **options.parameters()}
    if reference.node:
        parameters["node"] = reference.node
    return api_path(f"/resolve/{reference.whole}", parameters)


@dataclass(frozen=True)
class Connection:
    """The address of a registry, and what its requests need. Several threads may share it.

    With `no_cache`, caches on the way pass requests on, so that answers hold all earlier writes.
    Of a log that neither `log_key` signs nor a key that it has led to, no mirror is written.
    """

    address: str
    token: str = field(default="", repr=False)
    timeout: float = 15.0
    cache: Cache | None = None
    offline: bool = False
    warn: Callable[[str], None] = lambda sentence: None
    allow_unsafe: bool = False
    no_cache: bool = False
    log_key: Key | None = None

    def __post_init__(self) -> None:
        """Raise `SettingsError` if the address is none of a registry or a mirror."""
        check_address(self.address)

    @property
    def transport(self) -> Transport:
        """The connection settings of this registry."""
        address = self.address.rstrip("/")
        return Transport(address, self.token, self.timeout, no_cache=self.no_cache)

    def get(self, path: str, parameters: Parameters | None = None, *, cached: bool = False) -> Any:
        """Return the JSON of a path below /api/v1, such as `/tags`.

        With `cached`, uses the cache as `resolve` does; otherwise the registry has to be reached.
        """
        refuse_mirror(self.address)
        if cached:
            return self.transport.json(self.fetcher.get(api_path(path, parameters)))
        self._require_network()
        return self.transport.request_json("GET", api_path(path, parameters))

    def post(
        self,
        path: str,
        body: object,
        *,
        parameters: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        write: bool = True,
    ) -> Any:
        """Send JSON to a path below /api/v1 with the token, and return the JSON of the response.

        A `write` is never sent twice, unless the registry says that it has done nothing.
        """
        refuse_mirror(self.address)
        self._require_network()
        return self.transport.request_json(
            "POST",
            api_path(path, parameters),
            body=body,
            headers=headers,
            authorized=True,
            repeatable=not write,
        )

    @property
    def fetcher(self) -> Fetcher:
        """The reader of answers, from the cache or over HTTP."""
        return Fetcher(self.transport, self.cache, self.offline, self.warn)

    @property
    def source(self) -> str:
        """The name of this registry in messages."""
        return f"The registry {self.address}"

    def _require_network(self) -> None:
        if self.offline:
            raise Unreachable(f"{self.source} has to be asked for this, but ttag is offline.")
