"""docker-registry with one tiny image, whose manifest is looked up by tag."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote

from benchmarks.environments import find_programs, free_port, server
from benchmarks.wrk import Endpoint

MANIFEST = "application/vnd.oci.image.manifest.v1+json"
REPOSITORY, TAG = "acme/board", "latest"
# As packaged, but without authentication and the log of requests.
CONFIGURATION = """
version: 0.1
log: {{level: error, accesslog: {{disabled: true}}}}
storage:
  cache: {{blobdescriptor: inmemory}}
  filesystem: {{rootdirectory: {folder}}}
http: {{addr: "127.0.0.1:{port}"}}
"""


@contextmanager
def image_server(size: int) -> Iterator[Endpoint]:
    """Run docker-registry with an image whose manifest has `size` bytes; yield its endpoint."""
    port = free_port()
    program = find_programs(**{"docker-registry": "docker-registry"})["docker-registry"]
    with tempfile.TemporaryDirectory(prefix="registry-benchmark-docker-") as folder:
        configuration = Path(folder) / "config.yml"
        configuration.write_text(CONFIGURATION.format(folder=folder, port=port), encoding="utf-8")
        with server([program, "serve", str(configuration)], port, "/v2/"):
            _push_image(port, size)
            yield Endpoint(port, f"/v2/{REPOSITORY}/manifests/{TAG}", {"Accept": MANIFEST})


def _push_image(port: int, size: int) -> None:
    """Push an image with one empty layer, as the OCI distribution specification describes it."""
    layer = _push_blob(port, b"", "application/vnd.oci.image.layer.v1.tar")
    config = _push_blob(port, b"{}", "application/vnd.oci.image.config.v1+json")
    manifest = {
        "schemaVersion": 2,
        "mediaType": MANIFEST,
        "config": config,
        "layers": [layer],
        "annotations": {"padding": ""},
    }
    padding = size - len(json.dumps(manifest))
    manifest["annotations"] = {"padding": "x" * max(0, padding)}
    path = f"/v2/{REPOSITORY}/manifests/{TAG}"
    _send(port, "PUT", path, (json.dumps(manifest).encode(), MANIFEST), status=201)


def _push_blob(port: int, content: bytes, media_type: str) -> dict[str, str | int]:
    """Upload a blob and return its descriptor."""
    digest = f"sha256:{hashlib.sha256(content).hexdigest()}"
    location = _send(port, "POST", f"/v2/{REPOSITORY}/blobs/uploads/", status=202)
    path = f"{location.removeprefix(f'http://127.0.0.1:{port}')}&digest={quote(digest)}"
    _send(port, "PUT", path, (content, "application/octet-stream"), status=201)
    return {"mediaType": media_type, "digest": digest, "size": len(content)}


def _send(
    port: int, method: str, path: str, content: tuple[bytes, str] = (b"", ""), *, status: int
) -> str:
    """Send a request, and return the Location of its response.

    `content` has a media type. Raises `ValueError` if the status differs.
    """
    body, media_type = content
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request(method, path, body, {"Content-Type": media_type} if media_type else {})
        response = connection.getresponse()
        text = response.read().decode()
        if response.status != status:
            raise ValueError(f"{method} {path} returns {response.status}: {text[:200]}")
        return response.headers.get("Location", "")
    finally:
        connection.close()
