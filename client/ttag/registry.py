"""A registry that is asked over HTTP."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote, urlencode

from ttag.browsing import Browsing, Parameters
from ttag.cache import Cache
from ttag.canonical_json import canonical
from ttag.errors import Refused, TtagError, Unreachable, attempt
from ttag.fetching import Fetcher
from ttag.log.files import FOLDER, LogReader, ServedFiles
from ttag.references import Reference
from ttag.resolution import Export, Resolution
from ttag.submitting import Submitting
from ttag.transport import Response, Transport, refusal_from

API = "/api/v1"
MAX_BATCH = 1000  # references in one request
DROPPED = re.compile(r'"((?:[^"\\]|\\["\\])*)"')


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """Options of an export: one node only, refusing to drop anything, recording origins."""

    node: str | None = None
    strict: bool = False
    record: bool = False

    def parameters(self) -> dict[str, str]:
        """Return the parameters of the query."""
        switches = {"strict": self.strict, "record": self.record}
        parameters = {name: "1" for name, chosen in switches.items() if chosen}
        return parameters | ({"node": self.node} if self.node else {})


PLAIN = ExportOptions()
VERIFIED = frozenset({"json", "target"})  # formats whose text can be checked against the digest


@dataclass(frozen=True)
class Registry(Browsing, Submitting):
    """A registry at an address, with a cache if one is given. Several threads may share it.

    When the registry cannot be reached, what the cache holds is returned, and `warn` is called
    with a sentence. If `offline`, the registry is never asked.
    """

    address: str
    token: str = field(default="", repr=False)
    timeout: float = 15.0
    cache: Cache | None = None
    offline: bool = False
    warn: Callable[[str], None] = lambda sentence: None

    @property
    def transport(self) -> Transport:
        """The connection settings of this registry."""
        return Transport(self.address.rstrip("/"), self.token, self.timeout)

    def resolve(self, reference: str, *, node: str | None = None) -> Resolution:
        """Return what a reference resolves to, or one node of it, with its digest verified.

        Raises `Refused`, `Unreachable` or `Tampered`.
        """
        Reference.parse(reference)
        response = self._fetcher.get(_resolve_path(reference, "json", ExportOptions(node)))
        return Resolution.from_json(self.transport.json(response), self._source)

    def resolve_many(self, references: Sequence[str]) -> list[Resolution | TtagError]:
        """Return a resolution or an error for each reference, in order, by few requests."""
        return self._many(
            references,
            "json",
            PLAIN,
            lambda answer, _: Resolution.from_json(answer, self._source),
            Registry.resolve,
        )

    def export(self, reference: str, form: str, options: ExportOptions = PLAIN) -> Export:
        """Return a target in a format. Raises as `resolve` does.

        The registry states a digest for the target itself only, which `json` and `target` are.
        """
        if form in VERIFIED and not options.record:
            return self.resolve(reference, node=options.node).export(form)
        Reference.parse(reference)
        response = self._fetcher.get(_resolve_path(reference, form, options))
        return self._export(reference, form, response)

    def export_many(
        self, references: Sequence[str], form: str, options: ExportOptions = PLAIN
    ) -> list[Export | TtagError]:
        """Return an export or an error for each reference, in order, by few requests.

        A node can only be asked for one by one.
        """
        if options.node:
            return [attempt(self.export, each, form, options) for each in references]
        if form in VERIFIED and not options.record:
            results = self.resolve_many(references)
            return [each if isinstance(each, TtagError) else each.export(form) for each in results]
        return self._many(
            references,
            form,
            options,
            lambda answer, reference: _batch_export(reference, form, answer),
            lambda registry, reference: registry.export(reference, form, options),
        )

    def get(self, path: str, parameters: Parameters | None = None, *, cached: bool = False) -> Any:
        """Return the JSON of a path below /api/v1, such as `/tags`.

        With `cached`, uses the cache as `resolve` does; otherwise the registry has to be reached.
        """
        if cached:
            return self.transport.json(self._fetcher.get(_api_path(path, parameters)))
        self._require_network()
        return self.transport.request_json("GET", _api_path(path, parameters))

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
        self._require_network()
        return self.transport.request_json(
            "POST",
            _api_path(path, parameters),
            body=body,
            headers=headers,
            authorized=True,
            repeatable=not write,
        )

    @property
    def addresses(self) -> frozenset[str]:
        """The addresses under which a lock may know this registry."""
        return frozenset({self.address.rstrip("/")})

    def open_log(self) -> LogReader:
        """Return a reader of the registry's log."""
        files = ServedFiles(self._fetcher, f"{API}/{FOLDER}")
        return LogReader(f"the registry {self.address}", files)

    @property
    def _fetcher(self) -> Fetcher:
        return Fetcher(self.transport, self.cache, self.offline, self.warn)

    @property
    def _source(self) -> str:
        return f"The registry {self.address}"

    def _require_network(self) -> None:
        if self.offline:
            raise Unreachable(f"{self._source} has to be asked for this, but ttag is offline.")

    def _many(
        self,
        references: Sequence[str],
        form: str,
        options: ExportOptions,
        read: Callable[[Any, str], Any],
        read_one: Callable[[Registry, str], Any],
    ) -> list[Any]:
        if len(references) <= 1 or self.offline:
            return [attempt(read_one, self, reference) for reference in references]
        results: list[Any] = []
        for start in range(0, len(references), MAX_BATCH):
            batch = references[start : start + MAX_BATCH]
            try:
                answers = self._post_batch(batch, form, options)
            except Unreachable as error:
                away = replace(self, offline=True)
                cached = [attempt(read_one, away, reference) for reference in batch]
                if any(isinstance(result, TtagError) for result in cached):
                    raise
                self.warn(f"{error} What is in the cache is used instead.")
                results += cached
                continue
            for reference, answer in zip(batch, answers, strict=True):
                if not _is_problem(answer):
                    self._keep(_resolve_path(reference, form, options), answer)
                    results.append(attempt(read, answer, reference))
                elif answer["code"] == "TAG_UNKNOWN":
                    # Only a request for one reference suggests similar tags.
                    results.append(attempt(read_one, self, reference))
                else:
                    results.append(refusal_from(answer))
        return results

    def _keep(self, path: str, answer: Any) -> None:
        """Store one result of a batch as the response to the request for it alone."""
        if self.cache is None:
            return
        headers, body = {"content-type": "application/json"}, canonical(answer)
        if _is_text_export(answer):
            dropped = ", ".join(map(_quote, _dropped(answer)))
            headers = {"content-type": "text/plain", "target-dropped": dropped}
            body = answer["text"].encode()
        self.cache.store(f"{self.transport.address}{path}", headers, body)

    def _post_batch(
        self, references: Sequence[str], form: str, options: ExportOptions
    ) -> list[Any]:
        """Return the results for some references, by several requests if one is too large."""
        try:
            return self._post_references(references, form, options)
        except Refused as refusal:
            if refusal.code != "TOO_LARGE" or len(references) == 1:
                raise
        middle = len(references) // 2
        halves = (references[:middle], references[middle:])
        return [result for half in halves for result in self._post_batch(half, form, options)]

    def _post_references(
        self, references: Sequence[str], form: str, options: ExportOptions
    ) -> list[Any]:
        body = {
            "references": list(references),
            "format": form,
            "strict": options.strict,
            "record": options.record,
        }
        answer = self.transport.request_json("POST", f"{API}/resolve", body=body)
        results = answer.get("results") if isinstance(answer, dict) else None
        if not isinstance(results, list) or len(results) != len(references):
            raise Unreachable(
                f"{self._source} did not answer each of {len(references)} references."
            )
        return results

    def _export(self, reference: str, form: str, response: Response) -> Export:
        text = response.body.decode("utf-8", "replace")
        if not response.media_type.endswith("json"):
            dropped = DROPPED.findall(response.headers.get("target-dropped", ""))
            return Export(reference, form, text, tuple(map(_unquote, dropped)))
        return Export(reference, form, text, _dropped(self.transport.json(response)))


def _api_path(path: str, parameters: Parameters | None) -> str:
    query = f"?{urlencode(parameters)}" if parameters else ""
    return f"{API}{quote(path, safe='/:@,')}{query}"


def _resolve_path(reference: str, form: str, options: ExportOptions) -> str:
    query = urlencode({"format": form, **options.parameters()})
    return f"{API}/resolve/{quote(reference, safe='/:@,')}?{query}"


def _batch_export(reference: str, form: str, answer: Any) -> Export:
    """Return the export in one result of POST resolve: an object, or a text and what it drops."""
    if _is_text_export(answer):
        return Export(reference, form, answer["text"], _dropped(answer))
    return Export(reference, form, canonical(answer).decode(), _dropped(answer))


def _is_text_export(answer: Any) -> bool:
    """Return whether a result of POST resolve is that of a text format."""
    return (
        isinstance(answer, dict)
        and answer.keys() == {"text", "dropped"}
        and isinstance(answer["text"], str)
    )


def _dropped(answer: Any) -> tuple[str, ...]:
    losses = answer.get("dropped", ()) if isinstance(answer, dict) else ()
    return tuple(loss["pointer"] if isinstance(loss, dict) else str(loss) for loss in losses)


def _is_problem(answer: Any) -> bool:
    return isinstance(answer, dict) and {"type", "code", "status"} <= answer.keys()


def _quote(text: str) -> str:
    return '"' + re.sub(r'(["\\\\])', r"\\\1", text) + '"'


def _unquote(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
