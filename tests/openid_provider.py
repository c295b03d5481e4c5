"""Runs a real OpenID Connect provider, and gets identity tokens from it as a user does."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from types import MappingProxyType
from urllib.parse import parse_qs, urlencode, urlsplit
from uuid import uuid4

from tests.patience import PATIENCE
from tests.serving import free_port

NO_CLAIMS: Mapping[str, object] = MappingProxyType({})
CALLBACK = "http://127.0.0.1/callback"  # never visited: the code is in the redirect to it


@contextmanager
def run_provider(folder: Path, *, token_lifetime: int = 600) -> Iterator[str]:
    """Run the provider in a process of its own; yield its address."""
    port = free_port()
    command = [sys.executable, "-m", "oidc_provider_mock", "--port", str(port)]
    with (folder / "provider.log").open("w") as log:
        process = subprocess.Popen([*command, "-e", str(token_lifetime)], stdout=log, stderr=log)
        try:
            _wait_for(port)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(timeout=PATIENCE)


def identity_token(
    provider: str, subject: str, *, audience: str, claims: Mapping[str, object] = NO_CLAIMS
) -> str:
    """Return an identity token of a user with these claims, by the authorization code flow."""
    user = json.dumps({"jti": uuid4().hex, **claims})
    _send(provider, "PUT", f"/users/{subject}", user, "application/json")
    query = {
        "client_id": audience,
        "redirect_uri": CALLBACK,
        "response_type": "code",
        "scope": "openid",
    }
    location, _ = _send(
        provider, "POST", f"/oauth2/authorize?{urlencode(query)}", urlencode({"sub": subject})
    )
    (code,) = parse_qs(urlsplit(location).query)["code"]
    grant = {
        "grant_type": "authorization_code",
        "code": code,
        "client_id": audience,
        "client_secret": "any",
        "redirect_uri": CALLBACK,
    }
    _, body = _send(provider, "POST", "/oauth2/token", urlencode(grant))
    token: str = json.loads(body)["id_token"]
    return token


def _send(
    provider: str,
    method: str,
    path: str,
    body: str,
    media_type: str = "application/x-www-form-urlencoded",
) -> tuple[str, bytes]:
    """Send a request; return the redirect's address and the body."""
    connection = HTTPConnection(urlsplit(provider).netloc, timeout=PATIENCE)
    try:
        connection.request(method, path, body, {"Content-Type": media_type})
        response = connection.getresponse()
        content = response.read()
        assert response.status < 400, content
        return response.headers.get("Location", ""), content
    finally:
        connection.close()


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            _send(f"http://127.0.0.1:{port}", "GET", "/.well-known/openid-configuration", "")
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError(f"no provider on port {port} within {PATIENCE} s")
