"""`ttag publish` and `ttag propose`, and the same from Python."""

import io
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.client.conftest import Run, Ttag
from tests.client.scripted_server import CLOSED, ScriptedServer, problem, response
from tests.serving import create_token, environment_of, run_server
from ttag.cli.console import Console
from ttag.cli.main import main
from ttag.errors import Refused, TokenMissing, Unreachable
from ttag.registry.registry import Registry

BODY = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "haswell", "num-cores": 4}
VERDICT = {
    "valid": True,
    "errors": [],
    "digest": "sha256:0",
    "version": "1.0.0",
    "bump": "FIRST",
    "diff": [],
    "lints": [],
    "notes": [],
}
UNKNOWN = problem("TAG_UNKNOWN", 404, "There is no tag acme/board.")


@pytest.fixture(scope="module")
def writable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Registry]:
    """Yield a served registry where alice may publish and propose in acme."""
    var = tmp_path_factory.mktemp("writable")
    with run_server(var, loaded=True) as server:
        token = create_token(environment_of(var), "publish", "propose")
        yield Registry(f"http://127.0.0.1:{server.port}", token)


@pytest.fixture
def as_alice(ttag: Ttag, writable: Registry) -> Ttag:
    """Return a function that runs the command with the token of alice."""
    return partial(ttag, TTAG_REGISTRY=writable.address, TTAG_TOKEN=writable.token)


@pytest.fixture
def body(tmp_path: Path) -> Path:
    """Return a file with a valid body."""
    path = tmp_path / "board.json"
    path.write_text(json.dumps(BODY))
    return path


def run_on_terminal(registry: Registry, answer: str, *arguments: str) -> Run:
    """Run the command where somebody can answer questions."""
    terminal = io.StringIO(answer)
    terminal.isatty = lambda: True  # type: ignore[method-assign]
    environment = {"TTAG_REGISTRY": registry.address, "TTAG_TOKEN": registry.token}
    console = Console(io.StringIO(), io.StringIO(), environment, input=terminal)
    code = main(arguments, console=console, environment=environment)
    assert isinstance(console.out, io.StringIO)
    assert isinstance(console.err, io.StringIO)
    return Run(code, console.out.getvalue(), console.err.getvalue())


def test_body_is_published_after_it_was_shown(
    as_alice: Ttag, writable: Registry, body: Path
) -> None:
    arguments = ("publish", "acme/shown", str(body), "--yes", "--message", "Our board")
    run = as_alice(*arguments)
    first, published = run.out.splitlines()
    assert first == "acme/shown@1.0.0: FIRST, the first version"
    assert published.startswith("Published acme/shown@1.0.0, sha256:")
    (version,) = writable.versions("acme/shown")
    assert (version.message, version.publisher) == ("Our board", "alice")


def test_next_version_shows_its_changes(as_alice: Ttag, writable: Registry, body: Path) -> None:
    writable.publish("acme/next", BODY, base="")
    body.write_text(json.dumps({**BODY, "mcpu": "skylake"}))
    run = as_alice("publish", "acme/next", str(body), "--dry-run")
    assert run.out.splitlines() == [
        "acme/next@2.0.0: MAJOR, after 1.0.0",
        "  ~ /mcpu  haswell -> skylake  (codegen, affects tuning)",
    ]


def test_tags_that_follow_are_counted(as_alice: Ttag, writable: Registry, body: Path) -> None:
    writable.publish("acme/parent", BODY, base="")
    writable.publish("acme/child", {"tag": "acme/parent@1", "num-cores": 8}, base="")
    body.write_text(json.dumps({**BODY, "executor": "graph"}))
    run = as_alice("publish", "acme/parent", str(body), "--dry-run")
    assert run.out.splitlines()[-1] == "Tags that follow: 1 (1 MINOR)."


def test_dry_run_needs_no_token_and_changes_nothing(
    ttag: Ttag, writable: Registry, body: Path
) -> None:
    address = writable.address
    run = ttag("publish", "acme/dry", str(body), "--dry-run", TTAG_REGISTRY=address)
    assert run.code == 0
    with pytest.raises(Refused, match="There is no tag acme/dry"):
        writable.tag("acme/dry")


@pytest.mark.parametrize("command", ["publish", "propose"])
def test_option_without_effect_is_refused_before_anything_is_asked(
    ttag: Ttag, command: str
) -> None:
    run = ttag(command, "acme/dry", "missing.json", "--dry-run", "--yes")
    assert (run.code, run.out) == (2, "")
    assert "--dry-run sends nothing, so --yes has no effect: use one of them." in run.err


def test_same_body_is_published_once(as_alice: Ttag, writable: Registry, body: Path) -> None:
    writable.publish("acme/same", BODY, base="")
    run = as_alice("publish", "acme/same", str(body), "--yes")
    assert (run.code, run.out) == (0, "")
    assert "acme/same@1.0.0 is the same already" in run.err


def test_json_has_the_check_and_the_version(as_alice: Ttag, writable: Registry, body: Path) -> None:
    arguments = ("publish", "acme/json", str(body), "--yes", "--json")
    result = json.loads(as_alice(*arguments).out)
    assert (result["base"], result["check"]["bump"]) == ("", "FIRST")
    assert result["published"]["version"] == "1.0.0"


def test_body_comes_from_standard_input(writable: Registry) -> None:
    arguments = ("publish", "acme/piped", "-", "--yes")
    run = run_on_terminal(writable, json.dumps(BODY), *arguments)
    assert "Published acme/piped@1.0.0" in run.out


def test_body_is_imported_from_a_command_line(
    as_alice: Ttag, writable: Registry, tmp_path: Path
) -> None:
    (tmp_path / "target.txt").write_text("cuda -arch=sm_80 -link-params=1\n")
    arguments = ("publish", "acme/imported", str(tmp_path / "target.txt"), "--yes")
    run = as_alice(*arguments, "--format", "tvm-string")
    assert "link-params belongs to the flow" in run.out
    assert writable.resolve("acme/imported").target["flow"] == {"link-params": True}


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("n\n", 1), ("\n", 1), ("", 1)])
def test_terminal_is_asked(writable: Registry, body: Path, answer: str, code: int) -> None:
    tag = f"acme/asked-{len(answer)}-{code}"
    run = run_on_terminal(writable, answer, "publish", tag, str(body))
    assert f"Publish {tag}@1.0.0? [y/N]" in run.err
    assert run.code == code
    assert ("Published" in run.out) == (code == 0)


def test_nobody_to_ask_sends_nothing(as_alice: Ttag, writable: Registry, body: Path) -> None:
    run = as_alice("publish", "acme/unasked", str(body), "--json")
    assert run.code == 2
    assert "add --yes" in run.err


def test_every_fault_has_a_line_with_its_place(
    as_alice: Ttag, writable: Registry, tmp_path: Path
) -> None:
    (tmp_path / "work" / "bad.json").write_text('{"kind": "llvm",\n"mcpu": true,\n"num-corse": 4}')
    run = as_alice("publish", "acme/bad", "bad.json", "--yes")
    assert (run.code, run.out) == (3, "")
    assert run.err.splitlines() == [
        "error: bad.json:2: /mcpu: true is not of type string; expected string.",
        (
            "error: bad.json:3: /num-corse: llvm has no option num-corse; "
            "expected a known option. Did you mean num-cores?"
        ),
        "error: bad.json is not a valid body for acme/bad.",
    ]


def test_faults_are_in_the_json_too(as_alice: Ttag, writable: Registry, tmp_path: Path) -> None:
    (tmp_path / "work" / "bad.json").write_text('{"kind": "lvm"}')
    run = as_alice("publish", "acme/bad", "bad.json", "--dry-run", "--json")
    (fault,) = json.loads(run.out)["check"]["errors"]
    assert (run.code, fault["code"], fault["suggestions"]) == (3, "KIND_UNKNOWN", ["llvm"])


@pytest.mark.parametrize(
    ("content", "code", "sentence"),
    [
        (b'{"kind":\n', 3, "is not JSON: line 2, column 1"),
        (b'{"kind": "c", "kind": "llvm"}', 3, "the key 'kind' stands twice"),
        (b"\xff", 6, "is not text in UTF-8"),
    ],
)
def test_file_that_is_no_json_is_not_sent(
    ttag: Ttag, tmp_path: Path, content: bytes, code: int, sentence: str
) -> None:
    (tmp_path / "work" / "bad.json").write_bytes(content)
    run = ttag("publish", "acme/board", "bad.json", TTAG_REGISTRY="http://127.0.0.1:9")
    assert run.code == code
    assert sentence in run.err


def test_missing_file_has_exit_code_6(ttag: Ttag) -> None:
    assert ttag("publish", "acme/board", "missing.json").code == 6


@pytest.mark.parametrize("command", ["publish", "propose"])
def test_missing_token_has_exit_code_7_and_says_how_to_get_one(
    ttag: Ttag, writable: Registry, body: Path, command: str
) -> None:
    run = ttag(command, "acme/board", str(body), "--yes", TTAG_REGISTRY=writable.address)
    assert run.code == 7
    assert f"the scope {command} is needed: create it at {writable.address}/me/tokens" in run.err


def test_token_of_another_namespace_has_exit_code_7(
    as_alice: Ttag, writable: Registry, body: Path
) -> None:
    run = as_alice("publish", "arm/board", str(body), "--yes")
    assert run.code == 7


def test_version_that_came_in_between_is_not_overwritten(writable: Registry) -> None:
    writable.publish("acme/race", BODY, base="")
    with pytest.raises(Refused, match="has changed since you read it") as error:
        writable.publish("acme/race", {**BODY, "num-cores": 8}, base="")
    assert error.value.code == "PRECONDITION_FAILED"


def test_publishing_states_what_it_was_read_from(server: ScriptedServer) -> None:
    server.responses = [problem("PRECONDITION_FAILED", 412, "Somebody published.")]
    with pytest.raises(Refused):
        Registry(server.address, "token").publish("acme/board", BODY, base="1.2.0")
    assert 'If-Match: "1.2.0"' in server.requests[0]


def test_lost_response_says_what_is_unknown(ttag: Ttag, server: ScriptedServer, body: Path) -> None:
    server.responses = [UNKNOWN, response(VERDICT), CLOSED]
    run = ttag(
        "publish",
        "acme/board",
        str(body),
        "--yes",
        TTAG_TOKEN="token",
        TTAG_REGISTRY=server.address,
    )
    assert run.code == 4
    assert "Whether acme/board was published is unknown: `ttag versions acme/board`" in run.err
    assert len(server.requests) == 3


def test_connection_that_failed_leaves_nothing_unknown() -> None:
    with pytest.raises(Unreachable) as error:
        Registry("http://127.0.0.1:9", "token").publish("acme/board", BODY, base="")
    assert not error.value.sent
    assert "unknown" not in str(error.value)


def test_proposal_is_submitted_once_though_its_response_was_lost(
    ttag: Ttag, server: ScriptedServer, body: Path
) -> None:
    proposal = {"number": 7, "url": "/proposals/7", "tag": "acme/board", "state": "open"}
    submitted = response({**proposal, "revision": 1}, 201)
    server.responses = [UNKNOWN, response(VERDICT), CLOSED, submitted]
    run = ttag(
        "propose",
        "acme/board",
        str(body),
        "--yes",
        TTAG_TOKEN="token",
        TTAG_REGISTRY=server.address,
    )
    assert f"Proposal 7 is open: {server.address}/proposals/7" in run.out
    keys = [
        line
        for request in server.requests[2:]
        for line in request.splitlines()
        if line.startswith("Idempotency-Key: ")
    ]
    assert len(keys) == 2
    assert len(set(keys)) == 1


def test_proposal_is_submitted_with_message_and_sources(
    as_alice: Ttag, writable: Registry, body: Path
) -> None:
    arguments = ("propose", "acme/proposed", str(body), "--yes", "--message", "Ours")
    run = as_alice(*arguments, "--source", "https://example.org/board")
    number = run.out.splitlines()[-1].rpartition("/")[2]
    (revision,) = writable.get(f"/proposals/{number}")["revisions"]
    assert (revision["message"], revision["sources"]) == ("Ours", ["https://example.org/board"])


def test_python_needs_a_token_to_write() -> None:
    with pytest.raises(TokenMissing, match="TTAG_TOKEN"):
        Registry("http://127.0.0.1:9").propose("acme/board", BODY, base="")
