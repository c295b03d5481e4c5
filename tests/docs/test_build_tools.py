"""docs/build-tools.md, executed: its scripts, its Python, and the steps of its workflow."""

import io
import re
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import yaml

from tests.docs import exchange, markdown
from tests.docs.tools import Response, run_script

NAME = "docs/build-tools.md"
PAGE = markdown.read_document(NAME)
ADDRESS = re.compile(rf"{exchange.ORIGIN}[^\s'\"]+")

pytestmark = pytest.mark.django_db


def code(title: str, language: str) -> str:
    """Return the only block of a section in a language."""
    (text,) = [
        block.text for block in markdown.section(NAME, title).blocks if block.language == language
    ]
    return text


def fetch(address: str) -> Response:
    response: Any = exchange.parse_curl([address]).send("")
    assert response.status_code == 200, address
    headers = {name.lower(): value for name, value in response.headers.items()}
    return Response(response.content.decode(), headers)


def record(text: str) -> dict[str, Response]:
    """Return the responses to all requests of a script."""
    return {address: fetch(address) for address in ADDRESS.findall(text)}


@pytest.mark.parametrize("title", ["IREE", "clang", "CMake"])
def test_compiler_receives_the_response(title: str, tmp_path: Path) -> None:
    script = code(title, "sh")
    responses = record(script)
    given = run_script(script, tmp_path, responses)
    (response,) = responses.values()
    assert " ".join(response.text.split()) in " ".join(given.split())


def test_digest_is_that_of_the_bytes(tmp_path: Path) -> None:
    script = code("Pin what you build", "sh")
    run_script(script, tmp_path, record(script))


def test_python_checks_the_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    example: dict[str, Any] = {}
    monkeypatch.setattr("urllib.request.urlopen", lambda url: io.BytesIO(fetch(url).text.encode()))
    exec(code("Python", "python"), example)  # noqa: S102 - code of the page
    assert example["target"]["mcpu"] == "haswell"
    monkeypatch.setattr("urllib.request.urlopen", lambda _: io.BytesIO(b"{}"))
    with pytest.raises(ValueError, match="not the target"):
        exec(code("Python", "python"), example)  # noqa: S102


def test_tvm_receives_the_target(monkeypatch: pytest.MonkeyPatch) -> None:
    class PassContext:
        def __init__(self, config: dict[str, Any]) -> None:
            assert config == {}

        def __enter__(self) -> None: ...

        def __exit__(self, *_: object) -> None: ...

    tvm = ModuleType("tvm")
    tvm.target = SimpleNamespace(Target=lambda config: config)  # type: ignore[attr-defined]
    tvm.transform = SimpleNamespace(PassContext=PassContext)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tvm", tvm)
    monkeypatch.setattr("urllib.request.urlopen", lambda url: io.BytesIO(fetch(url).text.encode()))
    example: dict[str, Any] = {}
    exec(code("TVM", "python"), example)  # noqa: S102 - code of the page
    assert (example["target"]["kind"], example["target"]["host"]["kind"]) == ("cuda", "llvm")


def test_steps_of_the_workflow_run(tmp_path: Path) -> None:
    (job,) = yaml.safe_load(code("GitHub Actions", "yaml"))["jobs"].values()
    assert job["env"] == {"TARGET": "${{ matrix.target }}"}
    for number, target in enumerate(job["strategy"]["matrix"]["target"]):
        folder = tmp_path / str(number)
        folder.mkdir()
        output = folder / "output"
        script = "\n".join(step["run"] for step in job["steps"] if "run" in step)
        responses = record(script.replace("$TARGET", target))
        given = run_script(script, folder, responses, TARGET=target, GITHUB_OUTPUT=str(output))
        (response,) = responses.values()
        assert response.text.split()[0] in given
        assert output.read_text() == f"build-key={response.headers['target-build-key']}\n"
        assert response.headers["target-build-key"].startswith("bk1:")
