"""A lying registry and a lying mirror: they send targets and texts with digests that are right."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.sandbox.lies import REFERENCE, Lie
from ttag.canonical_json import canonical, digest_of
from ttag.mirror.layout import digest_path, format_path, index_path

PREFIX = "/api/v1/resolve"
TAG, VERSION = REFERENCE.split("@")


def named(lies: Sequence[Lie]) -> dict[str, Lie]:
    """Return lies by the name of a tag for each."""
    return {f"{TAG}-{number}": lie for number, lie in enumerate(lies)}


def text_of(name: str, lie: Lie) -> str:
    """Return the text as one of this tag."""
    return lie.text.replace(REFERENCE, f"{name}@{VERSION}")


def identity_of(lie: Lie) -> dict[str, Any]:
    """Return the members of a resolution that do not depend on how it is asked for."""
    return {
        "version": VERSION,
        "digest": digest_of(canonical(lie.target)),
        "published": "2026-11-20T12:00:00Z",
        "status": "active",
        "tuning_keys": {},
        "lineage": [],
        "build_key": None,
        "warnings": [],
    }


@contextmanager
def lying_registry(lies: Mapping[str, Lie]) -> Iterator[str]:
    """Serve lies by the names of their tags, and yield the address."""

    class Handler(BaseHTTPRequestHandler):
        """Answers the requests that `ttag` sends to resolve and to export."""

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            reference = unquote(parts.path).removeprefix(f"{PREFIX}/")
            (form,) = parse_qs(parts.query)["format"]
            answer = _answer(lies, reference, form)
            if isinstance(answer, str):
                self._send(answer.encode("utf-8", "surrogateescape"), "text/plain")
            else:
                self._send(canonical(answer), "application/json")

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            answers = [_answer(lies, each, request["format"]) for each in request["references"]]
            results = [
                {"text": each, "dropped": []} if isinstance(each, str) else each for each in answers
            ]
            self._send(json.dumps({"results": results}).encode(), "application/json")

        def _send(self, body: bytes, media_type: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: Any) -> None:
            """Write nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def _answer(lies: Mapping[str, Lie], reference: str, form: str) -> Any:
    name = reference.partition("@")[0]
    lie = lies[name]
    if form == "json":
        return {**identity_of(lie), "reference": reference, "tag": name, "target": lie.target}
    if form == "target":
        return lie.target
    text = text_of(name, lie)
    try:
        return json.loads(text)
    except ValueError:
        return text


def write_lying_mirror(lies: Mapping[str, Lie], root: Path) -> str:
    """Write lies as the files of a mirror, and return its address."""
    overview: Any = {
        "version": 1,
        "registry": "https://registry.example.org",
        "created": "",
        "event": 1,
    }
    overview |= {"namespaces": ["acme"], "formats": sorted({lie.form for lie in lies.values()})}
    files = {"mirror.json": canonical(overview)}
    for name, lie in lies.items():
        text = text_of(name, lie).encode("utf-8", "surrogateescape")
        hashes: Any = {
            "formats": {lie.form: _dropped(lie.text)},
            "texts": {lie.form: digest_of(text)},
        }
        index: Any = {"tag": name, "aliases": [], "versions": [{**identity_of(lie), **hashes}]}
        files[index_path(name)] = canonical(index)
        files[digest_path(identity_of(lie)["digest"])] = canonical(lie.target)
        files[format_path(lie.form, f"{name}@{VERSION}")] = text
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return root.as_uri()


def _dropped(text: str) -> list[str]:
    """Return what a text of JSON says that it leaves out; other texts say nothing."""
    try:
        return [loss["pointer"] for loss in json.loads(text)["dropped"]]
    except (ValueError, KeyError, TypeError):
        return []
