"""A registry that is asked over HTTP."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from ttag.browsing import Browsing, Parameters
from ttag.cache import Cache
from ttag.canonical_json import canonical
from ttag.errors import Refused, Tampered, TtagError, Unreachable, attempt, echo
from ttag.fetching import Fetcher
from ttag.log.files import FOLDER, LogReader, ServedFiles
from ttag.mirror.storage import is_mirror, refuse_mirror
from ttag.references import Reference
from ttag.resolution import Export, Resolution
from ttag.settings import check_address
from ttag.submitting import Submitting
from ttag.texts import proven, read_text
from ttag.texts.parts import require_part
from ttag.transport import Response, Transport, refusal_from
from ttag.unsafe import require_safe

if TYPE_CHECKING:
    from ttag.mirror.reader import Mirror

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

    The address may be that of a mirror, which then resolves; everything else needs a registry.

    When the registry cannot be reached, what the cache holds is returned, and `warn` is called
    with a sentence. If `offline`, the registry is never asked. Unless `allow_unsafe`, a target with
    a value that could harm a build is refused (`UnsafeTarget`).
    """

    address: str
    token: str = field(default="", repr=False)
    timeout: float = 15.0
    cache: Cache | None = None
    offline: bool = False
    warn: Callable[[str], None] = lambda sentence: None
    allow_unsafe: bool = False

    def __post_init__(self) -> None:
        """Raise `SettingsError` if the address is none of a registry or a mirror."""
        check_address(self.address)

    @cached_property
    def _mirror(self) -> Mirror | None:
        """The mirror at the address, if it is that of one."""
        from ttag.mirror.reader import Mirror  # noqa: PLC0415 - imports this module

        if not is_mirror(self.address):
            return None
        return Mirror.open(
            self.address,
            timeout=self.timeout,
            cache=self.cache,
            offline=self.offline,
            warn=self.warn,
            allow_unsafe=self.allow_unsafe,
        )

    @property
    def transport(self) -> Transport:
        """The connection settings of this registry."""
        return Transport(self.address.rstrip("/"), self.token, self.timeout)

    def resolve(self, reference: str, *, node: str | None = None) -> Resolution:
        """Return what a reference resolves to, or one node of it, with its digest verified.

        A node is compared with the whole target. Raises `Refused`, `Unreachable`, `Tampered` or
        `UnsafeTarget`.
        """
        if self._mirror:
            return self._mirror.resolve(reference, node=node)
        asked = Reference.parse(reference)
        resolution = self._fetcher.read(
            _resolve_path(reference, "json", ExportOptions(node)),
            lambda response: self._resolution(self.transport.json(response), asked, node),
        )
        if node:
            whole = self.resolve(reference if asked.is_digest else resolution.exact)
            require_part(resolution, whole, self._source)
        return resolution

    def resolve_many(self, references: Sequence[str]) -> list[Resolution | TtagError]:
        """Return a resolution or an error for each reference, in order, by few requests."""
        if self._mirror:
            return self._mirror.resolve_many(references)
        return self._many(
            references,
            "json",
            PLAIN,
            self._resolution,
            Registry.resolve,
        )

    def export(self, reference: str, form: str, options: ExportOptions = PLAIN) -> Export:
        """Return a target in a format, compared with the target itself. Raises as `resolve` does.

        A text that does not belong to the target is `Tampered`: only the target has a digest.
        """
        if self._mirror:
            return self._mirror.export(reference, form, options)
        resolution = self.resolve(reference, node=options.node)
        (export,) = self.export_resolved([resolution], form, options)
        if isinstance(export, TtagError):
            raise export
        return export

    def export_many(
        self, references: Sequence[str], form: str, options: ExportOptions = PLAIN
    ) -> list[Export | TtagError]:
        """Return an export or an error for each reference, in order, by few requests.

        A node can only be asked for one by one.
        """
        if self._mirror:
            return self._mirror.export_many(references, form, options)
        if options.node:
            return [attempt(self.export, each, form, options) for each in references]
        answers = self.resolve_many(references)
        resolutions = [each for each in answers if isinstance(each, Resolution)]
        exports = iter(self.export_resolved(resolutions, form, options))
        return [each if isinstance(each, TtagError) else next(exports) for each in answers]

    def export_resolved(
        self, resolutions: Sequence[Resolution], form: str, options: ExportOptions = PLAIN
    ) -> list[Export | TtagError]:
        """Return an export or an error for each resolution, in order, each compared with it."""
        if form in VERIFIED and not options.record:
            return [resolution.export(form) for resolution in resolutions]
        if self._mirror:
            return self._mirror.export_resolved(resolutions, form, options)
        if options.node:
            answers = [
                attempt(self._export_exact, each.exact, form, options) for each in resolutions
            ]
        else:
            answers = self._many(
                [each.exact for each in resolutions],
                form,
                options,
                lambda answer, asked: _batch_export(str(asked), form, answer),
                lambda registry, exact: registry._export_exact(exact, form, options),
            )
        return [
            answer
            if isinstance(answer, TtagError)
            else attempt(self._proven, answer, resolution, options.record)
            for answer, resolution in zip(answers, resolutions, strict=True)
        ]

    def get(self, path: str, parameters: Parameters | None = None, *, cached: bool = False) -> Any:
        """Return the JSON of a path below /api/v1, such as `/tags`.

        With `cached`, uses the cache as `resolve` does; otherwise the registry has to be reached.
        """
        refuse_mirror(self.address)
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
        refuse_mirror(self.address)
        self._require_network()
        return self.transport.request_json(
            "POST",
            _api_path(path, parameters),
            body=body,
            headers=headers,
            authorized=True,
            repeatable=not write,
        )

    def _resolution(self, answer: Any, asked: Reference, node: str | None = None) -> Resolution:
        resolution = Resolution.from_json(answer, self._source, asked, node)
        if not self.allow_unsafe:
            require_safe(resolution.text, resolution.reference)
        return resolution

    def _export_exact(self, exact: str, form: str, options: ExportOptions) -> Export:
        asked = Reference.parse(exact)
        return self._fetcher.read(
            _resolve_path(exact, form, options),
            lambda response: self._export(asked, form, response),
        )

    def _proven(self, export: Export, resolution: Resolution, is_recorded: bool) -> Export:
        named = replace(export, reference=resolution.reference, tag=resolution.tag)
        return proven(named, resolution, source=self._source, is_recorded=is_recorded)

    @property
    def addresses(self) -> frozenset[str]:
        """The addresses under which a lock may know this registry."""
        return self._mirror.addresses if self._mirror else frozenset({self.address.rstrip("/")})

    def open_log(self) -> LogReader:
        """Return a reader of the registry's log."""
        if self._mirror:
            return self._mirror.open_log()
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
        read: Callable[[Any, Reference], Any],
        read_one: Callable[[Registry, str], Any],
    ) -> list[Any]:
        """Return an answer or an error for each reference; only references are sent."""
        parsed = [attempt(Reference.parse, reference) for reference in references]
        asked = [each for each in parsed if isinstance(each, Reference)]
        if len(asked) <= 1 or self.offline:
            return [attempt(read_one, self, reference) for reference in references]
        answers = iter(self._ask(asked, form, options, read, read_one))
        return [each if isinstance(each, TtagError) else next(answers) for each in parsed]

    def _ask(
        self,
        references: Sequence[Reference],
        form: str,
        options: ExportOptions,
        read: Callable[[Any, Reference], Any],
        read_one: Callable[[Registry, str], Any],
    ) -> list[Any]:
        results: list[Any] = []
        for start in range(0, len(references), MAX_BATCH):
            batch = references[start : start + MAX_BATCH]
            try:
                answers = self._post_batch(batch, form, options)
            except Unreachable as error:
                away = replace(self, offline=True)
                cached = [attempt(read_one, away, str(reference)) for reference in batch]
                if any(isinstance(result, TtagError) for result in cached):
                    raise
                self.warn(f"{error} What is in the cache is used instead.")
                results += cached
                continue
            for reference, answer in zip(batch, answers, strict=True):
                if not _is_problem(answer):
                    result = attempt(read, answer, reference)
                    if not isinstance(result, TtagError):
                        self._keep(_resolve_path(str(reference), form, options), answer)
                    results.append(result)
                elif answer["code"] == "TAG_UNKNOWN":
                    # Only a request for one reference suggests similar tags.
                    results.append(attempt(read_one, self, str(reference)))
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
        self, references: Sequence[Reference], form: str, options: ExportOptions
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
        self, references: Sequence[Reference], form: str, options: ExportOptions
    ) -> list[Any]:
        body = {
            "references": [*map(str, references)],
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

    def _export(self, asked: Reference, form: str, response: Response) -> Export:
        """Return the text of a response. Raises `Tampered` if it is of another version."""
        version = response.headers.get("target-version", "")
        digest = response.headers.get("target-digest")
        if version and not asked.admits(version, digest):
            raise Tampered(
                f"{self._source} was asked for {asked}, and sent version {echo(version)} with the "
                f"digest {echo(digest)}."
            )
        reference, text = str(asked), read_text(response.body, self._source)
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
