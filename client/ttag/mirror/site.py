"""A registry for another site: answers from a mirror what builds ask, under the paths of the API.

It says whose mirror it is, how old that is, and takes no writes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from ttag.errors import FileError, NotMirrored, Refused, TtagError, Unreachable, attempt
from ttag.export_options import VERIFIED, ExportOptions, with_node
from ttag.log.files import FOLDER
from ttag.mirror.following import Follower
from ttag.mirror.layout import OVERVIEW, digest_path
from ttag.mirror.reader import Mirror
from ttag.mirror.storage import Folder
from ttag.references import DIGEST, Reference
from ttag.registry.api_paths import API
from ttag.registry.batches import MAX_BATCH

PATIENCE = 5.0  # seconds that a reader waits for a name that may just have been published
GONE = frozenset({"TAG_UNKNOWN", "VERSION_UNKNOWN"})
READS = frozenset({"GET", "HEAD"})
EXACT, FLOATING, IMMUTABLE, NO_STORE = (  # Cache-Control, as the registry sends it
    "public, max-age=300",
    "public, max-age=0, must-revalidate",
    "public, max-age=31536000, immutable",
    "no-store",
)
JSON, PROBLEM, TEXT = "application/json", "application/problem+json", "text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Answer:
    """A response: status, body, and headers besides those that every response has."""

    body: bytes
    media_type: str = JSON
    status: int = HTTPStatus.OK
    policy: str = FLOATING
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def etag(self) -> str:
        """A strong entity tag."""
        return f'"{hashlib.sha256(self.body).hexdigest()[:32]}"'


@dataclass(frozen=True)
class Site:
    """Answers from the mirror that a follower writes. Several threads may share it."""

    follower: Follower
    allow_unsafe: bool = False

    @property
    def upstream(self) -> str:
        """The address of the registry that is mirrored."""
        return self.follower.registry.transport.address

    def answer(self, method: str, url: str, body: bytes = b"") -> Answer:
        """Return the answer to a request."""
        parts = urlsplit(url)
        path, query = unquote(parts.path), parse_qs(parts.query)
        try:
            if probe := self._probes().get(path):
                return probe()
            if method == "POST" and path == f"{API}/resolve":
                return self._resolve_many(body)
            if method not in READS:
                return self._refuse_write()
            return self._read(path.removeprefix(API), query) or self._redirect(url)
        except TtagError as error:
            return self.problem(error)

    def headers(self) -> dict[str, str]:
        """Return the headers of every response: whose mirror it is, and its age (RFC 9111)."""
        freshness = self.follower.freshness
        age = {"Age": f"{freshness.age():.0f}"} if freshness.confirmed else {}
        return {"Registry-Upstream": self.upstream, **age}

    def _probes(self) -> dict[str, Callable[[], Answer]]:
        return {
            "/healthz": lambda: Answer(b"ok\n", TEXT, policy=NO_STORE),
            "/readyz": self._readiness,
            "/metrics": lambda: Answer(self._metrics(), TEXT, policy=NO_STORE),
        }

    def _read(self, path: str, query: Mapping[str, list[str]]) -> Answer | None:
        """Return the answer to a GET below the API; None if only the registry has one."""
        kind, _, rest = path.lstrip("/").partition("/")
        if kind == "resolve" and rest:
            return self._resolve(rest, query)
        if kind == "digests" and DIGEST.fullmatch(rest):
            return self._file(digest_path(rest), "application/octet-stream", IMMUTABLE)
        if kind == FOLDER and rest:
            return self._file(f"{FOLDER}/{rest}", "application/octet-stream", FLOATING)
        return None

    def _file(self, path: str, media_type: str, policy: str) -> Answer:
        """Return a file of the mirror as it is."""
        if ".." in path.split("/"):
            raise Refused("There is no such file.", code="ROUTE_UNKNOWN", status=404)
        data = Folder(self.follower.root).read(path)
        if data is None:
            code = "TILE_UNKNOWN" if path.startswith(FOLDER) else "DIGEST_UNKNOWN"
            raise Refused(f"The mirror of {self.upstream} lacks it.", code=code, status=404)
        is_json = path == f"{FOLDER}/keys"
        return Answer(data, JSON if is_json else media_type, policy=policy)

    def _resolve(self, text: str, query: Mapping[str, list[str]]) -> Answer:
        """Return what a reference resolves to, in a format."""
        (form,) = query.get("format", ["json"])
        (text,) = with_node([text], query.get("node", [None])[0])
        options = ExportOptions(strict=query.get("strict") == ["true"])
        reference = Reference.parse_with_node(text)
        resolution = self._asked(lambda mirror: mirror.resolve(text))
        export = self._asked(lambda mirror: mirror.export(text, form, options))
        policy = EXACT if str(resolution.exact) == str(reference) else FLOATING
        headers = {
            "Target-Version": resolution.version,
            "Target-Digest": resolution.digest,
            "Target-Status": resolution.status,
        }
        if export.dropped:
            headers["Target-Dropped"] = ", ".join(map(json.dumps, export.dropped))
        body, media_type = export.text.encode(), TEXT
        if form in VERIFIED or _parsed(export.text) is not None:
            media_type = JSON
        return Answer(body, media_type, policy=policy, headers=headers)

    def _resolve_many(self, body: bytes) -> Answer:
        """Return what each of some references resolves to, or the problem with it."""
        try:
            asked = json.loads(body)
            references, form = [*map(str, asked["references"])], str(asked.get("format", "json"))
            options = ExportOptions(strict=bool(asked.get("strict")))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise Refused(
                "Expected JSON with references.", code="REQUEST_INVALID", status=400
            ) from error
        if len(references) > MAX_BATCH:
            raise Refused(f"At most {MAX_BATCH} references.", code="REQUEST_INVALID", status=400)
        results = [self._result(text, form, options) for text in references]
        return Answer(_as_json({"results": results}), policy=NO_STORE)

    def _result(self, text: str, form: str, options: ExportOptions) -> Any:
        export = attempt(self._asked, lambda mirror: mirror.export(text, form, options))
        if isinstance(export, TtagError):
            return json.loads(self.problem(export).body)
        document = _parsed(export.text)
        dropped = [*export.dropped]
        return {"text": export.text, "dropped": dropped} if document is None else document

    def _asked(self, ask: Callable[[Mirror], Any]) -> Any:
        """Return what the mirror answers; for what it lacks, after a look at the registry.

        A file that is missing may belong to a run that has just replaced what named it.
        """
        try:
            return ask(self._mirror())
        except Unreachable:
            return ask(self._mirror())
        except Refused as refusal:
            if refusal.code not in GONE:
                raise
            is_current = self.follower.look_now(PATIENCE)
            try:
                return ask(self._mirror())
            except Refused as again:
                raise again if is_current else self._behind(again) from refusal

    def _mirror(self) -> Mirror:
        return Mirror.open(self.follower.root.resolve().as_uri(), allow_unsafe=self.allow_unsafe)

    def _behind(self, refusal: Refused) -> Unreachable:
        """Return the error that a name is unknown here, and may be known to the registry."""
        return Unreachable(
            f"{refusal.message} {self.upstream} cannot be asked now, and was last asked "
            f"{self.follower.freshness.age():.0f} seconds ago."
        )

    def _refuse_write(self) -> Answer:
        return self._document(
            HTTPStatus.METHOD_NOT_ALLOWED,
            "READ_ONLY",
            f"This is a mirror of {self.upstream}, which takes no writes and checks no bodies: "
            "send the request there.",
            {"Allow": "GET, HEAD"},
        )

    def _redirect(self, url: str) -> Answer:
        """Send a reader to the registry for what mirrors do not hold: pages, lists, search."""
        return self._document(
            HTTPStatus.TEMPORARY_REDIRECT,
            "NOT_MIRRORED",
            f"This is a mirror of {self.upstream}, which resolves: ask there for the rest.",
            {"Location": f"{self.upstream}{url}"},
        )

    def problem(self, error: TtagError) -> Answer:
        """Return the problem document of an error (RFC 9457)."""
        if isinstance(error, Refused):
            extra = {"suggestions": list(error.suggestions)} if error.suggestions else {}
            return self._document(error.status, error.code, error.message, extra=extra)
        if isinstance(error, Unreachable | FileError):
            retry = {"Retry-After": "5"}
            return self._document(HTTPStatus.SERVICE_UNAVAILABLE, "BEHIND", error.message, retry)
        is_missing = isinstance(error, NotMirrored)
        status = HTTPStatus.NOT_ACCEPTABLE if is_missing else HTTPStatus.BAD_REQUEST
        code = "NOT_MIRRORED" if is_missing else "REFERENCE_INVALID"
        return self._document(status, code, error.message)

    def _document(
        self,
        status: int,
        code: str,
        detail: str,
        headers: Mapping[str, str] | None = None,
        *,
        extra: Mapping[str, Any] | None = None,
    ) -> Answer:
        document = {
            "type": f"{self.upstream}/problems#{code}",
            "title": HTTPStatus(status).phrase,
            "status": int(status),
            "code": code,
            "detail": detail,
            **(extra or {}),
        }
        return Answer(_as_json(document), PROBLEM, status, NO_STORE, headers or {})

    def _readiness(self) -> Answer:
        """Say whether there is a mirror to answer from, and how far behind it may be."""
        freshness = self.follower.freshness
        has_mirror = (self.follower.root / OVERVIEW).exists()
        problems = [] if has_mirror else [f"there is no mirror of {self.upstream} yet"]
        document = {
            "ready": has_mirror,
            "problems": problems,
            "upstream": {
                "address": self.upstream,
                "event": freshness.event,
                "age": round(freshness.age(), 1) if freshness.confirmed else None,
                "problem": freshness.problem or None,
            },
        }
        status = HTTPStatus.OK if has_mirror else HTTPStatus.SERVICE_UNAVAILABLE
        return Answer(_as_json(document), status=status, policy=NO_STORE)

    def _metrics(self) -> bytes:
        """Return gauges and counters in Prometheus' text format."""
        freshness = self.follower.freshness
        age = freshness.age() if freshness.confirmed else float("nan")
        rows = (
            ("mirror_age_seconds", "gauge", "For how long the mirror may lack something.", age),
            ("mirror_event", "gauge", "The last event in the mirror.", freshness.event),
            ("mirror_looks_total", "counter", "Looks at the registry.", freshness.looks),
            ("mirror_failures_total", "counter", "Looks that failed.", freshness.failures),
            ("mirror_events_total", "counter", "Events that were applied.", freshness.events),
            ("mirror_full_runs_total", "counter", "Runs that read all.", freshness.full_runs),
        )
        return "".join(
            f"# HELP registry_{name} {meaning}\n# TYPE registry_{name} {kind}\n"
            f"registry_{name} {float(value)!r}\n"
            for name, kind, meaning, value in rows
        ).encode()


def invalid(reason: str) -> Refused:
    """Return the error of a request with an unusable body."""
    return Refused(
        f"The body is not usable: {reason}.", code="REQUEST_INVALID", status=HTTPStatus.BAD_REQUEST
    )


def _parsed(text: str) -> Any:
    """Return the object that a text in JSON is, or None."""
    try:
        document = json.loads(text) if text.startswith("{") else None
    except ValueError:
        return None
    return document


def _as_json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()
