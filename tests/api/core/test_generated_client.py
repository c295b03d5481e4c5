"""Tests of a client that openapi-python-client generates, against a live server."""

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from registry.api.core.openapi import document
from tests.databases import FILE, copy_sqlite
from tests.serving import Server, run_server

PACKAGE = "registry_client"

pytestmark = pytest.mark.any_database


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run the server with the shipped catalogue."""
    var = tmp_path_factory.mktemp("server")
    copy_sqlite(var / FILE, loaded=True)
    with run_server(var) as running:
        yield running


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Make the generated package importable."""
    folder = tmp_path_factory.mktemp("client")
    (folder / "openapi.json").write_text(json.dumps(document()))
    (folder / "config.yml").write_text("post_hooks: []\n")  # no need to format the client
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none"]
    command += ["--path", "openapi.json", "--config", "config.yml", "--fail-on-warning"]
    command += ["--output-path", PACKAGE]
    subprocess.run(command, cwd=folder, check=True)
    sys.path.insert(0, str(folder))
    yield
    sys.path.remove(str(folder))


@pytest.fixture
def client(server: Server, generated: None) -> Iterator[Any]:
    """Open the generated client."""
    client_class = importlib.import_module(PACKAGE).Client
    url = f"http://127.0.0.1:{server.port}{document()['servers'][0]['url']}"
    with client_class(base_url=url.rstrip("/"), httpx_args={"trust_env": False}) as opened:
        yield opened


def operation(tag: str, name: str) -> Any:
    """Return the function of one operation."""
    return importlib.import_module(f"{PACKAGE}.api.{tag}.{name}").sync


def test_client_resolves_a_tag(client: Any) -> None:
    resolution = operation("resolve", "resolve")("arm/soc:aot", client=client)
    assert resolution.status == "active"
    assert resolution.target.to_dict()["mcpu"] == "cortex-m7"
    assert resolution.dependencies[0].resolved == "arm/soc@1.0.0"
    assert resolution.published.tzinfo


def test_client_gets_the_problem_of_an_unknown_tag(client: Any) -> None:
    problem = operation("resolve", "resolve")("arm/soc:aott", client=client)
    assert problem.code == "TAG_UNKNOWN"
    assert "arm/soc:aot" in problem.suggestions


def test_client_reads_pages_and_sends_bodies(client: Any) -> None:
    page = operation("tags", "tags")(client=client, q="a100")
    assert page.results[0].tag == "nvidia/nvidia-a100"
    body = {"tag": "arm/soc", "target": {"kind": "llvm", "mcpu": 3}}
    verdict = operation("check", "check")(client=client, body=body)
    assert not verdict.valid
    assert verdict.errors[0].pointer == "/mcpu"
