"""Posts reach the public internet only, end in time, and follow nothing."""

import socket
import ssl
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from registry.domain.webhooks.public_addresses import is_public
from registry.services.webhooks import posting
from registry.services.webhooks.posting import PostFailed, post
from tests.receiver import Receiver, run_receiver

pytestmark = pytest.mark.any_database

PUBLIC = "93.184.216.34"


def anywhere(_: str) -> bool:
    return True


def lead(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> list[str]:
    """Let every name lead to addresses; return the list of names that are looked up."""
    asked: list[str] = []

    def look_up(host: str, port: int, **_: Any) -> list[tuple[Any, ...]]:
        asked.append(host)
        family = {True: socket.AF_INET6, False: socket.AF_INET}
        return [
            (family[":" in each], socket.SOCK_STREAM, 6, "", (each, port)) for each in addresses
        ]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return asked


def test_status_is_returned_and_the_body_arrives(receiver: Receiver) -> None:
    assert post(receiver.url, b"{}", {"webhook-id": "msg_1"}, anywhere) == 204
    assert (receiver.paths, receiver.bodies, receiver.ids) == (["/hooks"], [b"{}"], ["msg_1"])


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "[::ffff:7f00:1]"])
def test_loopback_is_not_reached(receiver: Receiver, host: str) -> None:
    url = f"http://{host}:{receiver.port}/hooks"
    with pytest.raises(PostFailed, match="not on the public internet"):
        post(url, b"{}", {}, is_public)
    assert receiver.paths == []


@pytest.mark.parametrize(
    "addresses", [("127.0.0.1",), (PUBLIC, "127.0.0.1"), ("10.0.0.1", PUBLIC), (PUBLIC, "::1")]
)
def test_name_that_leads_inside_is_not_reached(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, addresses: tuple[str, ...]
) -> None:
    lead(monkeypatch, *addresses)
    with pytest.raises(PostFailed, match="not on the public internet"):
        post(f"http://hooks.example.org:{receiver.port}/", b"{}", {}, is_public)
    assert receiver.paths == []


def test_name_is_looked_up_once_and_the_checked_address_is_reached(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With DNS rebinding, a second look-up would give an address that nobody checked."""
    asked, checked = lead(monkeypatch, "127.0.0.1"), []

    def rule(address: str) -> bool:
        checked.append(address)
        lead(monkeypatch, "127.0.0.9")  # from now on the name leads elsewhere
        return True

    assert post(f"http://hooks.example.org:{receiver.port}/", b"{}", {}, rule) == 204
    assert (asked, checked) == (["hooks.example.org"], ["127.0.0.1"])


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_not_followed(receiver: Receiver, status: int) -> None:
    receiver.status, receiver.location = status, f"http://127.0.0.1:{receiver.port}/inside"
    assert post(receiver.url, b"{}", {}, anywhere) == status
    assert receiver.paths == ["/hooks"]


def test_slow_receiver_is_left_at_the_deadline(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "DEADLINE", 0.3)
    receiver.goes_on.clear()
    start = time.monotonic()
    with pytest.raises(PostFailed, match="no response within"):
        post(receiver.url, b"{}", {}, anywhere)
    assert time.monotonic() - start < posting.TIMEOUT


def test_proxy_of_the_environment_is_not_used(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert post(receiver.url, b"{}", {}, anywhere) == 204


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://127.0.0.1:9/", "the connection failed: ConnectionRefusedError"),
        ("http://name.invalid/", "cannot be looked up"),
    ],
)
def test_reason_names_the_failure(url: str, reason: str) -> None:
    with pytest.raises(PostFailed, match=reason):
        post(url, b"{}", {}, anywhere)


class TestTls:
    @pytest.fixture
    def secure(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
        """Yield a receiver with a certificate for hooks.example.org, which is trusted."""
        path = tmp_path / "certificate.pem"
        path.write_bytes(certificate("hooks.example.org"))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        monkeypatch.setenv("SSL_CERT_FILE", str(path))
        with run_receiver(context) as running:
            yield running

    def test_host_with_its_certificate_is_reached(
        self, secure: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lead(monkeypatch, "127.0.0.1")
        assert post(f"https://hooks.example.org:{secure.port}/", b"{}", {}, anywhere) == 204

    def test_host_with_the_certificate_of_another_is_not(
        self, secure: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lead(monkeypatch, "127.0.0.1")
        with pytest.raises(PostFailed, match="TLS failed: CERTIFICATE_VERIFY_FAILED"):
            post(f"https://other.example.org:{secure.port}/", b"{}", {}, anywhere)
        assert secure.paths == []

    def test_untrusted_certificate_is_refused(
        self, secure: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("SSL_CERT_FILE")
        lead(monkeypatch, "127.0.0.1")
        with pytest.raises(PostFailed, match="TLS failed"):
            post(f"https://hooks.example.org:{secure.port}/", b"{}", {}, anywhere)


def certificate(host: str) -> bytes:
    """Return a self-signed certificate for a host, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name)
    builder = builder.public_key(key.public_key()).serial_number(1)
    builder = builder.not_valid_before(now - timedelta(days=1))
    builder = builder.not_valid_after(now + timedelta(days=1))
    names = x509.SubjectAlternativeName([x509.DNSName(host)])
    signed = builder.add_extension(names, critical=False).sign(key, hashes.SHA256())
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return private + signed.public_bytes(serialization.Encoding.PEM)
