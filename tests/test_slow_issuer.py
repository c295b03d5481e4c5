"""An identity provider that sends a byte now and then holds no other write."""

import json
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import jwt
import pytest

from tests.databases import FILE, copy_sqlite
from tests.issuers import RSA_KEY, trickling_server
from tests.patience import PATIENCE
from tests.serving import Server, create_token, environment_of, publish, run_server

TOKENS = 12  # six times the threads for writes


@pytest.fixture
def issuer() -> Iterator[str]:
    with trickling_server() as port:
        yield f"http://127.0.0.1:{port}"


def trust(var: Path, issuer: str) -> None:
    """Register a trusted publisher with this issuer in a database."""
    with closing(sqlite3.connect(var / FILE)) as database, database:
        database.execute(
            "INSERT INTO registry_trustedpublisher "
            "(namespace_id, registrar_id, issuer, claims, subject, scopes, pattern, created) "
            "SELECT n.id, u.id, ?, '{}', 'x', 'publish', 'acme', datetime('now') "
            "FROM registry_namespace n, registry_user u "
            "WHERE n.name = 'acme' AND u.username = 'alice'",
            [issuer],
        )


def exchange(server: Server, issuer: str, number: int) -> tuple[int, str, bool]:
    """Exchange an identity token; return the status, the code, and if there is a Retry-After."""
    token = jwt.encode({"iss": issuer, "jti": str(number)}, RSA_KEY, "RS256", {"kid": "a"})
    with closing(HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)) as connection:
        body, headers = json.dumps({"token": token}), {"Content-Type": "application/json"}
        connection.request("POST", "/api/v1/trusted-publishing", body, headers)
        response = connection.getresponse()
        code = json.loads(response.read())["code"]
        return response.status, code, "Retry-After" in response.headers


def test_writes_go_on_while_an_issuer_trickles(tmp_path: Path, issuer: str) -> None:
    copy_sqlite(tmp_path / FILE, loaded=True)
    token = create_token(environment_of(tmp_path))
    trust(tmp_path, issuer)
    with (
        run_server(tmp_path, {"REGISTRY_TRUSTED_ISSUERS": issuer}) as server,
        ThreadPoolExecutor(TOKENS) as jobs,
    ):
        exchanges = [jobs.submit(exchange, server, issuer, n) for n in range(TOKENS)]
        assert publish(server, token, "acme/board") == (201, "")
        assert {each.result() for each in exchanges} == {(503, "BUSY", True)}
        log = server.log.read_text()
    # The outcome of an attempt has a colon; refusals after it say the same without.
    assert log.count(f"The keys of {issuer} cannot be fetched: ") <= 1
