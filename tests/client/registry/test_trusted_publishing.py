"""`ttag publish` in a CI job, against a real OpenID Connect provider and a served registry."""

import base64
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.client.conftest import Run, Ttag
from tests.databases import ROOT
from tests.openid_provider import identity_token, run_provider
from tests.serving import create_token, environment_of, run_server
from ttag import Registry
from ttag.errors import SettingsError
from ttag.registry.trusted_publishing import audience_of, token_for

BODY = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "haswell", "num-cores": 4}
SUBJECT = "release-job"
REGISTER = """
from registry.models import Namespace, User
from registry.services.namespaces.trusted_publishers import register_publisher
from registry.services.core.permissions import Actor
register_publisher(
    Namespace.objects.get(name="acme"), issuer={issuer!r}, claims={claims!r},
    scopes=["propose", "publish"], pattern="acme",
    actor=Actor.operator(User.objects.get(username="alice")),
)
"""


@dataclass(frozen=True)
class Trust:
    """A registry that trusts the jobs of a provider, and the log of its server."""

    registry: str
    provider: str
    log: Path

    def identity(self, subject: str = SUBJECT, **claims: object) -> str:
        """Return an identity token for this registry, as the CI system signs it for a job."""
        claims = {"environment": "release", **claims}
        return identity_token(self.provider, subject, audience=self.registry, claims=claims)


@pytest.fixture(scope="module")
def trust(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trust]:
    var = tmp_path_factory.mktemp("trusting")
    with run_provider(var) as provider:
        settings = {"REGISTRY_TRUSTED_ISSUERS": provider, "REGISTRY_RATE_ANONYMOUS": "none"}
        with run_server(var, settings, loaded=True) as server:
            environment = environment_of(var) | settings
            create_token(environment)
            claims = {"sub": SUBJECT, "environment": "release"}
            code = REGISTER.format(issuer=provider, claims=claims)
            environment["REGISTRY_ADDRESS"] = f"http://127.0.0.1:{server.port}"
            command = [sys.executable, "manage.py", "shell", "--verbosity", "0", "-c", code]
            subprocess.run(command, cwd=ROOT, env=environment, check=True)
            yield Trust(f"http://127.0.0.1:{server.port}", provider, server.log)


@pytest.fixture
def in_job(ttag: Ttag, trust: Trust) -> Ttag:
    """Return a function that runs the command in a CI job without a token."""
    return partial(ttag, TTAG_REGISTRY=trust.registry)


@pytest.fixture
def body(tmp_path: Path) -> str:
    path = tmp_path / "board.json"
    path.write_text(json.dumps(BODY))
    return str(path)


@contextmanager
def github(trust: Trust) -> Iterator[Mapping[str, str]]:
    """Serve identity tokens as GitHub does; yield the variables of a job."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_job = self.headers["Authorization"] == "Bearer of-the-job"
            (audience,) = parse_qs(urlsplit(self.path).query)["audience"]
            token = identity_token(
                trust.provider, SUBJECT, audience=audience, claims={"environment": "release"}
            )
            content = json.dumps({"value": token}).encode()
            self.send_response(200 if is_job else 401)
            self.send_header("Content-Type", "application/json; charset=utf-8")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            """Write nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield {
            "GITHUB_ACTIONS": "true",
            "ACTIONS_ID_TOKEN_REQUEST_URL": f"http://127.0.0.1:{server.server_port}/?api-version=2",
            "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "of-the-job",
        }
    finally:
        server.shutdown()
        server.server_close()


def test_job_of_github_publishes_without_a_token(in_job: Ttag, trust: Trust, body: str) -> None:
    with github(trust) as variables:
        run = in_job("publish", "acme/github", body, "--yes", directory=None, **variables)
    assert (run.code, run.err) == (0, "")
    assert "Published acme/github@1.0.0" in run.out
    events = Registry(trust.registry).get("/events", {"namespace": "acme"})["results"]
    used, published = events[-2:]
    assert (used["action"], published["action"]) == ("publisher.used", "version.published")
    assert used["detail"]["token"] == published["detail"]["token"]
    assert used["detail"]["claims"] == {"environment": "release", "sub": SUBJECT}


def test_job_of_gitlab_publishes_and_proposes(in_job: Ttag, trust: Trust, body: str) -> None:
    for command in ("publish", "propose"):
        identity = trust.identity()
        run = in_job(command, f"acme/{command}", body, "--yes", TTAG_ID_TOKEN=identity)
        assert (run.code, run.err) == (0, "")
        assert identity not in trust.log.read_text()


def refused(run: Run) -> str:
    assert (run.code, run.out.count("Published")) == (7, 0)
    return run.err


def test_identity_is_used_once(in_job: Ttag, trust: Trust, body: str) -> None:
    identity = trust.identity()
    assert in_job("publish", "acme/once", body, "--yes", TTAG_ID_TOKEN=identity).code == 0
    run = in_job("publish", "acme/twice", body, "--yes", TTAG_ID_TOKEN=identity)
    assert "was used before: request a new one" in refused(run)


@pytest.mark.parametrize(
    ("subject", "environment"), [("another-job", "release"), (SUBJECT, "test")]
)
def test_other_job_is_refused(
    subject: str, environment: str, in_job: Ttag, trust: Trust, body: str
) -> None:
    identity = trust.identity(subject, environment=environment)
    message = refused(in_job("publish", "acme/no", body, "--yes", TTAG_ID_TOKEN=identity))
    assert "No trusted publisher matches these claims" in message
    assert f"sub {subject}, environment {environment}" in message


def test_other_namespace_is_refused(in_job: Ttag, trust: Trust, body: str) -> None:
    run = in_job("publish", "arm/no", body, "--yes", TTAG_ID_TOKEN=trust.identity())
    assert "This job is trusted for acme, not for arm/no." in refused(run)


def test_identity_for_another_registry_is_not_sent(in_job: Ttag, trust: Trust, body: str) -> None:
    identity = identity_token(trust.provider, SUBJECT, audience="https://registry.example.org")
    run = in_job("publish", "acme/no", body, "--yes", TTAG_ID_TOKEN=identity)
    assert run.code == 2
    assert f"for https://registry.example.org: its audience must be {trust.registry}." in run.err


def test_own_token_is_preferred_and_reading_needs_no_identity(
    in_job: Ttag, trust: Trust, body: str
) -> None:
    token = "ttr_0123456789ab_" + "x" * 43
    run = in_job("publish", "acme/no", body, "--yes", TTAG_ID_TOKEN="unused", TTAG_TOKEN=token)
    assert "This token is invalid" in refused(run)
    assert in_job("resolve", "arm/soc", TTAG_ID_TOKEN="unused").code == 0
    assert in_job("publish", "acme/no", body, "--dry-run", TTAG_ID_TOKEN="unused").code == 0


def test_job_without_the_permission_reads_what_to_add(in_job: Ttag, body: str) -> None:
    run = in_job("publish", "acme/no", body, "--yes", GITHUB_ACTIONS="true")
    assert "add `id-token: write` to the permissions of the job" in refused(run)


def test_refusal_of_github_is_reported(in_job: Ttag, trust: Trust, body: str) -> None:
    with github(trust) as variables:
        wrong = {**variables, "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "of-another-job"}
        run = in_job("publish", "acme/no", body, "--yes", directory=None, **wrong)
    assert "GitHub gave this job no identity: " in refused(run)
    assert "status 401" in run.err


@pytest.mark.parametrize("text", ["", "x", "a.b.c", f"a.{base64.b64encode(b'{}').decode()}.c"])
def test_other_text_is_no_identity(text: str) -> None:
    registry = Registry("http://127.0.0.1:1")
    environment = {"TTAG_ID_TOKEN": text or "."}
    with pytest.raises(SettingsError, match="is not a JSON Web Token with an audience"):
        token_for(registry, "acme/board", environment)


def test_identity_is_not_sent_unencrypted() -> None:
    with pytest.raises(SettingsError, match=r"not sent to http://.*: use https"):
        token_for(Registry("http://registry.example.org"), "acme/board", {"TTAG_ID_TOKEN": "x"})


@pytest.mark.parametrize(
    ("address", "audience"),
    [
        ("https://registry.example.org", "https://registry.example.org"),
        ("https://Registry.example.org:443/", "https://registry.example.org"),
        ("https://registry.example.org:8443/x", "https://registry.example.org:8443"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_audience_is_scheme_and_host(address: str, audience: str) -> None:
    assert audience_of(address) == audience
