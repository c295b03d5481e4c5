"""An issuer of identity tokens whose keys and answers tests choose, for what no real one does."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Event, Thread
from typing import Any, TypeVar
from uuid import uuid4

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

AUDIENCE = "http://testserver"  # what Django's test client calls the registry
DISCOVERY = "/.well-known/openid-configuration"
LIMIT = 60  # seconds for which an issuer trickles, so that a test of a defect ends
RSA_KEY = rsa.generate_private_key(65537, 2048)
OTHER_RSA_KEY = rsa.generate_private_key(65537, 2048)
EC_KEY = ec.generate_private_key(ec.SECP256R1())


class Issuer:
    """The keys of an issuer, and what it returns for each path: a status, headers and a body."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.requests: list[str] = []
        self.keys = [public_jwk(RSA_KEY, "rsa-1"), public_jwk(EC_KEY, "ec-1")]
        self.answers: dict[str, tuple[int, dict[str, str], bytes]] = {}

    def answer(self, path: str) -> tuple[int, dict[str, str], bytes]:
        """Return the response to a GET."""
        self.requests.append(path)
        if path in self.answers:
            return self.answers[path]
        documents: dict[str, Any] = {
            DISCOVERY: {"issuer": self.address, "jwks_uri": f"{self.address}/keys"},
            "/keys": {"keys": self.keys},
        }
        if path not in documents:
            return 404, {}, b""
        return 200, {}, json.dumps(documents[path]).encode()

    def receive(self, path: str, form: str, authorization: str) -> None:
        """Take note of a POST, which `answer` then answers."""

    def claims(self, **changes: Any) -> dict[str, Any]:
        """Return the claims of a valid token, with changes; those that are None are left out."""
        now = int(time.time())
        claims = {
            "iss": self.address,
            "sub": "repo:acme/targets:environment:release",
            "aud": AUDIENCE,
            "iat": now,
            "nbf": now,
            "exp": now + 300,
            "jti": uuid4().hex,
            "environment": "release",
            "sha": "5f0e1d",
            **changes,
        }
        return {name: value for name, value in claims.items() if value is not None}

    def token(
        self,
        *,
        key: Any = RSA_KEY,
        algorithm: str = "RS256",
        key_id: str | None = "rsa-1",
        **changes: Any,
    ) -> str:
        """Return a signed token."""
        headers = {"kid": key_id} if key_id else {}
        return jwt.encode(self.claims(**changes), key, algorithm, headers=headers)

    def forged_with_public_key(self) -> str:
        """Return a token whose HMAC has the public key as its secret.

        PyJWT does not sign with such a secret, so this does.
        """
        secret = RSA_KEY.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        header = {"typ": "JWT", "alg": "HS256", "kid": "rsa-1"}
        signed = ".".join(_encode(json.dumps(part).encode()) for part in (header, self.claims()))
        signature = hmac.new(secret, signed.encode(), hashlib.sha256).digest()
        return f"{signed}.{_encode(signature)}"


AnyIssuer = TypeVar("AnyIssuer", bound=Issuer)


def public_jwk(key: Any, key_id: str) -> dict[str, Any]:
    """Return the public half of a key as an entry of a key set."""
    is_rsa = isinstance(key, rsa.RSAPrivateKey)
    algorithm = jwt.algorithms.RSAAlgorithm if is_rsa else jwt.algorithms.ECAlgorithm
    jwk: dict[str, Any] = algorithm.to_jwk(key.public_key(), as_dict=True)
    return {**jwk, "kid": key_id, "use": "sig", "alg": "RS256" if is_rsa else "ES256"}


def _encode(part: bytes) -> str:
    return base64.urlsafe_b64encode(part).rstrip(b"=").decode()


def run_issuer() -> AbstractContextManager[Issuer]:
    """Serve an issuer on loopback, in a thread."""
    return run_issuer_of(Issuer)


@contextmanager
def run_issuer_of(kind: type[AnyIssuer]) -> Iterator[AnyIssuer]:
    """Serve an issuer of a kind on loopback, in a thread."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, headers, body = issuer.answer(self.path)
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            form = self.rfile.read(int(self.headers["Content-Length"])).decode()
            issuer.receive(self.path, form, self.headers.get("Authorization", ""))
            self.do_GET()

        def log_message(self, *_: Any) -> None:
            """Write nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    issuer = kind(f"http://127.0.0.1:{server.server_address[1]}")
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield issuer
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def trickling_server(*, tls: bool = False, seconds: float = LIMIT) -> Iterator[int]:
    """Serve a head of HTTP, or a record of TLS, that never ends; yield the port."""
    start = b"\x16\x03\x03\x40\x00" if tls else b"HTTP/1.1 200 OK\r\nX: "

    class Handler(StreamRequestHandler):
        def handle(self) -> None:
            with suppress(OSError):  # the client has given up
                self.wfile.write(start)
                while time.monotonic() < end and not is_over.wait(0.05):
                    self.wfile.write(b"\x02")

    class Server(ThreadingTCPServer):
        daemon_threads = True
        request_queue_size = 64

    is_over, end = Event(), time.monotonic() + seconds
    server = Server(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield server.server_address[1]
    finally:
        is_over.set()
        server.shutdown()
        server.server_close()
