"""A registry for another site: answers from a mirror what builds ask, under the paths of the API.

It says whose mirror it is, how old that is, and takes no writes.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from typing import Any, TypeVar
from urllib.parse import parse_qs, unquote, urlsplit

from ttag.canonical_json import digest_of
from ttag.errors import (
    FileError,
    NotMirrored,
    ReferenceInvalid,
    Refused,
    Tampered,
    TtagError,
    Unreachable,
    attempt,
)
from ttag.json_lines import JsonDocument
from ttag.log.files import FOLDER
from ttag.mirror.following import Follower
from ttag.mirror.layout import OVERVIEW, digest_path
from ttag.mirror.questions import (
    invalid,
    preferred_format,
    read_batch,
    read_parameters,
    read_switch,
)
from ttag.mirror.reader import Mirror
from ttag.mirror.storage import Folder
from ttag.references import Reference
from ttag.registry.batches import MAX_BATCH
from ttag.registry.connection import API
from ttag.resolution import Export, ExportOptions, with_node
from ttag.responses.exports import response_of
from ttag_rules.selectors import DIGEST

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
TARGET = "application/vnd.target-tag-registry.target+json"
LOG_FILE = re.compile(r"checkpoint|keys|tile/[a-z0-9]+(/x[0-9]{3})*/[0-9]{3}(\.p/[0-9]+)?")
LOG_TYPES = {"checkpoint": TEXT, "keys": JSON}  # others are bytes
MAX_SIZE = 8 * 1024 * 1024  # bytes of the texts in one response, as in the registry's

R = TypeVar("R")


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

    @property
    def document(self) -> Any:
        """The body, if it is JSON."""
        return json.loads(self.body)


@dataclass(frozen=True)
class Site:
    """Answers from the mirror that a follower writes. Several threads may share it."""

    follower: Follower
    allow_unsafe: bool = False

    @property
    def upstream(self) -> str:
        """The address of the registry that is mirrored."""
        return self.follower.registry.transport.address

    def answer(self, method: str, url: str, body: bytes = b"", accept: str = "") -> Answer:
        """Return the answer to a request."""
        parts = urlsplit(url)
        path, query = unquote(parts.path), parse_qs(parts.query, keep_blank_values=True)
        try:
            if path == "/healthz":
                return Answer(b"ok\n", TEXT, policy=NO_STORE)
            if path == "/readyz":
                return self._readiness()
            if path == "/metrics":
                return Answer(self.follower.freshness.as_metrics(), TEXT, policy=NO_STORE)
            if method == "POST" and path == f"{API}/resolve":
                return self._resolve_many(body)
            if method not in READS:
                return self._refuse_write()
            below = path.removeprefix(f"{API}/") if path.startswith(f"{API}/") else ""
            return self._read(below, query, accept) or self._redirect(url)
        except TtagError as error:
            return self.problem(error)

    def headers(self) -> dict[str, str]:
        """Return the headers of every response: whose mirror it is, and its age (RFC 9111)."""
        freshness = self.follower.freshness
        age = {"Age": f"{freshness.age():.0f}"} if freshness.confirmed else {}
        return {"Registry-Upstream": self.upstream, **age}

    def _read(self, path: str, query: Mapping[str, list[str]], accept: str) -> Answer | None:
        """Return the answer to a GET below the API; None if only the registry has one."""
        kind, _, rest = path.partition("/")
        if kind == "resolve" and rest:
            return self._resolve(rest, query, accept)
        if kind == "digests" and DIGEST.fullmatch(rest):
            data = self._file(digest_path(rest), "DIGEST_UNKNOWN")
            if digest_of(data) != rest:
                raise Tampered(f"The file of {rest} is damaged in the mirror of {self.upstream}.")
            return Answer(data, TARGET, policy=IMMUTABLE)
        if kind == FOLDER and LOG_FILE.fullmatch(rest):
            data = self._file(f"{FOLDER}/{rest}", "TILE_UNKNOWN")
            return Answer(data, LOG_TYPES.get(rest, "application/octet-stream"))
        return None

    def _file(self, path: str, code: str) -> bytes:
        """Return a file of the mirror, or raise `Refused` with a code.

        Raises `Unreachable` if there is no mirror yet: a registry without a log looks forged.
        """
        data = Folder(self.follower.root).read(path)
        if data is None:
            _ = self._mirror().overview  # raises it
            raise Refused(
                f"The mirror of {self.upstream} lacks it.", code=code, status=HTTPStatus.NOT_FOUND
            )
        return data

    def _resolve(self, text: str, query: Mapping[str, list[str]], accept: str) -> Answer:
        """Return what a reference resolves to, in a format."""
        parameters = read_parameters(query)
        form = parameters["format"] if "format" in parameters else preferred_format(accept)
        (text,) = with_node([text], parameters.get("node"))
        options = ExportOptions(
            strict=read_switch(parameters, "strict"), record=read_switch(parameters, "record")
        )
        reference = Reference.parse_with_node(text)
        resolution = self._ask_both(lambda mirror: mirror.resolve(text))
        export = self._ask_both(lambda mirror: mirror.export(text, form, options))
        policy = EXACT if str(resolution.exact) == str(reference) else FLOATING
        headers = {
            "Target-Version": resolution.version,
            "Target-Digest": resolution.digest,
            "Target-Status": resolution.status,
            "Vary": "Accept",
        }
        result = _result(export)
        kept, _ = response_of(result)
        if dropped := kept.get("target-dropped"):
            headers["Target-Dropped"] = dropped
        media_type = TEXT if result.keys() == {"text", "dropped"} else JSON
        return Answer(export.text.encode(), media_type, policy=policy, headers=headers)

    def _resolve_many(self, body: bytes) -> Answer:
        """Return what each of some references resolves to, or the problem with it."""
        try:
            references, form, options = read_batch(JsonDocument.parse(body.decode()).value)
        except ValueError as error:
            raise invalid(str(error)) from error
        if len(references) > MAX_BATCH:
            raise invalid(f"at most {MAX_BATCH} references are allowed")
        questions = [partial(_export, text, form, options) for text in references]
        exports = [attempt(self._ask, question) for question in questions]
        if any(map(_is_gone, exports)):
            is_current = self.follower.look_now(PATIENCE)
            exports = [
                attempt(self._ask_again, question, is_current) if _is_gone(export) else export
                for question, export in zip(questions, exports, strict=True)
            ]
        _refuse_too_large(exports)
        results = [
            self.problem(export).document if isinstance(export, TtagError) else _result(export)
            for export in exports
        ]
        return Answer(_as_json({"results": results}), policy=NO_STORE)

    def _ask(self, question: Callable[[Mirror], R]) -> R:
        """Return what the mirror answers.

        A file that is missing may belong to a run that has just replaced what named it.
        """
        try:
            return question(self._mirror())
        except Unreachable:
            return question(self._mirror())

    def _ask_both(self, question: Callable[[Mirror], R]) -> R:
        """Return what the mirror answers, for what it lacks after a look at the registry."""
        try:
            return self._ask(question)
        except Refused as refusal:
            if not _is_gone(refusal):
                raise
        return self._ask_again(question, self.follower.look_now(PATIENCE))

    def _ask_again(self, question: Callable[[Mirror], R], is_current: bool) -> R:
        """Return what the mirror answers after a look, which may have failed."""
        try:
            return self._ask(question)
        except Refused as refusal:
            if is_current or not _is_gone(refusal):
                raise
            raise Unreachable(  # the name may be known to the registry
                f"{refusal.message} {self.upstream} cannot be asked now, and was last asked "
                f"{self.follower.freshness.age():.0f} seconds ago."
            ) from refusal

    def _mirror(self) -> Mirror:
        return Mirror.open(self.follower.root.resolve().as_uri(), allow_unsafe=self.allow_unsafe)

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
        if not url.startswith("/"):  # behind an address, it could name another host
            raise invalid("the path does not begin with a slash")
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
        status, code = HTTPStatus.INTERNAL_SERVER_ERROR, "INTERNAL"
        if isinstance(error, NotMirrored):
            status, code = HTTPStatus.NOT_ACCEPTABLE, "NOT_MIRRORED"
        elif isinstance(error, ReferenceInvalid):
            status, code = HTTPStatus.BAD_REQUEST, "REFERENCE_INVALID"
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


def _export(text: str, form: str, options: ExportOptions, mirror: Mirror) -> Export:
    return mirror.export(text, form, options)


def _is_gone(answer: object) -> bool:
    """Return whether an answer says that there is no such name here."""
    return isinstance(answer, Refused) and answer.code in GONE


def _refuse_too_large(exports: Sequence[Export | TtagError]) -> None:
    """Raise `Refused` for more than a registry sends in one response; `ttag` asks for less then."""
    size = sum(len(export.text) for export in exports if isinstance(export, Export))
    if size > MAX_SIZE:
        raise Refused(
            f"The response would have {size} bytes: at most {MAX_SIZE} are allowed.",
            code="TOO_LARGE",
            status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        )


def _result(export: Export) -> dict[str, Any]:
    """Return an export as a batch has it: an object, or a text and what it leaves out."""
    with suppress(ValueError):
        if export.text.startswith("{"):
            document: dict[str, Any] = json.loads(export.text)
            return document
    return {"text": export.text, "dropped": [*export.dropped]}


def _as_json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()
