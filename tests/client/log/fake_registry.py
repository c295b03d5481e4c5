"""A registry in a thread that resolves, and whose log and answers a test can change as it likes."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.client.log.ledger import Ledger
from ttag.canonical_json import canonical, digest_of
from ttag.mirror.documents import MirroredVersion
from ttag.references import Reference

API = "/api/v1/"


@dataclass
class FakeRegistry:
    """Tags, by default of the namespace acme. `files` holds files in place of the ledger's."""

    ledger: Ledger | None = field(default_factory=Ledger)
    address: str = ""
    versions: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    events: list[dict[str, Any]] = field(default_factory=list)
    files: dict[str, bytes | None] = field(default_factory=dict)
    requested: list[str] = field(default_factory=list)
    namespaces: tuple[str, ...] = ("acme",)
    dependents: list[dict[str, str]] = field(default_factory=list)
    upstream: str = ""  # of a registry for another site

    def publish(self, tag: str, cores: int = 4) -> int:
        """Publish the next MINOR version of a tag, and return the number of its event."""
        target: dict[str, Any] = {"kind": "llvm", "mcpu": "haswell", "num-cores": cores}
        versions = self.versions.setdefault(tag, [])
        number, digest = f"1.{len(versions)}.0", digest_of(canonical(target))
        event = 0
        if self.ledger:
            event = self.ledger.record("version.published", tag=tag, version=number, digest=digest)
        self.events.append(
            {"number": event, "action": "version.published", "subject": f"{tag}@{number}"}
        )
        resolution: dict[str, Any] = {
            "tag": tag,
            "version": number,
            "digest": digest,
            "published": "2026-11-24T12:00:00Z",
            "status": "active",
            "target": target,
            "tuning_keys": {},
            "build_key": None,
            "lineage": [],
            "warnings": [],
        }
        versions.append(resolution | ({"event": event} if self.ledger else {}))
        return event

    def resolve(self, text: str) -> dict[str, Any]:
        reference = Reference.parse(text)
        versions = {each["version"]: each for each in self.versions.get(reference.name, ())}
        selected = reference.selector.choose([MirroredVersion(each) for each in versions.values()])
        if selected is None:
            return problem("VERSION_UNKNOWN")
        return {**versions[str(selected)], "reference": text}

    def log_file(self, path: str) -> bytes | None:
        if path in self.files or self.ledger is None:
            return self.files.get(path)
        return self.ledger.file(path)

    def answer(self, path: str, query: dict[str, list[str]]) -> Any:
        """Return the bytes or the JSON of a GET, or a problem."""
        kind, _, rest = path.partition("/")
        if kind == "log":
            content = self.log_file(rest)
            return problem("TILE_UNKNOWN") if content is None else content
        if kind == "resolve":
            answer = self.resolve(rest)
            is_text = "code" not in answer and query.get("format") == ["clang"]
            return b"-mcpu=haswell\n" if is_text else answer
        if kind == "namespaces":
            names = [{"name": name} for name in self.namespaces]
            return {"name": rest} if rest else {"results": names, "next": None}
        if kind == "dependents":
            return {"results": self.dependents, "next": None}
        if kind == "events":
            after = int(query["after"][0])
            return {"results": [e for e in self.events if e["number"] > after], "next": None}
        return problem("ROUTE_UNKNOWN")


def problem(code: str) -> dict[str, Any]:
    return {"type": f"/problems#{code}", "code": code, "status": 404, "detail": f"No: {code}."}


@contextmanager
def served(registry: FakeRegistry) -> Iterator[FakeRegistry]:
    """Serve a registry, and give it its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            path = unquote(parts.path).removeprefix(API)
            registry.requested.append(path)
            self._send(registry.answer(path, parse_qs(parts.query)))

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            results = [registry.resolve(each) for each in body["references"]]
            if body["format"] == "clang":
                text = {"text": "-mcpu=haswell\n", "dropped": []}
                results = [each if "code" in each else text for each in results]
            self._send({"results": results})

        def _send(self, answer: Any) -> None:
            is_problem = isinstance(answer, dict) and "code" in answer
            media_type = "application/problem+json" if is_problem else "application/json"
            if isinstance(answer, bytes):
                media_type = "text/plain"
            body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(404 if is_problem else 200)
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(body)))
            if registry.upstream:
                self.send_header("Registry-Upstream", registry.upstream)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: Any) -> None:
            """Write nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        registry.address = f"http://127.0.0.1:{server.server_port}"
        try:
            yield registry
        finally:
            server.shutdown()
            thread.join()
