"""A lying registry, mirror, cache or lock: the command prints nothing, and writes no file."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.client.answers import resolution_answer
from tests.client.conftest import Ttag
from tests.client.mirror.conftest import web_server
from tests.client.scripted_server import ScriptedServer, response
from tests.client.texts.subjects import Written, honest
from tests.client.texts.test_hostile_texts import VECTORS, changed
from tests.vectors import Change, TextVector
from ttag.canonical_json import digest_of
from ttag.errors import ExitCode
from ttag.http.cache import Cache
from ttag.lock.content import LockedTarget
from ttag.lock.lock import write_lock
from ttag.mirror.layout import as_bytes, digest_path, format_path, index_path
from ttag.resolution import LOCKED, Export, Resolution
from ttag_rules.grammars import TABLES

AWAY = "http://127.0.0.1:9"  # nothing listens there
TAG, EXACT = "acme/board", "acme/board@1.0.0"
# Two changes of each text; the tables of hostile texts are tried one by one elsewhere.
CHOSEN = [
    pytest.param((vector, vector.refused[index]), id=f"{vector}-{index}")
    for vector in VECTORS.texts
    for index in (0, -1)
]
Environment = dict[str, str]
REFUSED = {ExitCode.TAMPERED, ExitCode.UNREACHABLE}  # the latter: JSON that is none


def hostile(vector: TextVector, change: Change) -> Written:
    text = honest(VECTORS.bodies[vector.body], vector.format)
    changed_text = changed(text.export.text, change)
    return Written(replace(text.export, text=changed_text), text.resolution)


def answer_of(resolution: Resolution) -> dict[str, Any]:
    return resolution_answer(resolution.target, TAG, tuning_keys=resolution.tuning_keys)


def media_type(form: str) -> str:
    return "application/json" if form in TABLES["json_members"] else "text/plain"


def dropped_header(export: Export) -> str:
    return ", ".join(f'"{pointer}"' for pointer in export.dropped)


def lying_registry(text: Written, server: ScriptedServer, folder: Path) -> Environment:
    """Serve an honest resolution and a text."""
    form, data = text.export.format, text.export.text.encode()
    server.responses[:] = [
        response(answer_of(text.resolution)),
        response(data, media_type=media_type(form), target_dropped=dropped_header(text.export)),
    ]
    return {"TTAG_REGISTRY": server.address}


def lying_mirror(text: Written, server: ScriptedServer, folder: Path) -> Environment:
    """Write a mirror whose index has the SHA-256 of the text."""
    root = folder / "mirror"
    write_mirror(text, root)
    return {"TTAG_REGISTRY": root.as_uri()}


def poisoned_cache(text: Written, server: ScriptedServer, folder: Path) -> Environment:
    """Put a text into the cache of a registry that is away."""
    cache, form = Cache(folder / "poisoned"), text.export.format
    resolve = f"{AWAY}/api/v1/resolve"
    data = json.dumps(answer_of(text.resolution)).encode()
    json_headers = {"content-type": "application/json"}
    cache.store(f"{resolve}/{TAG}?format=json", json_headers, data, max_age=60)
    headers = {"content-type": media_type(form), "target-dropped": dropped_header(text.export)}
    url = f"{resolve}/{EXACT}?format={form}"
    cache.store(url, headers, text.export.text.encode(), max_age=60)
    return {"TTAG_REGISTRY": AWAY, "TTAG_CACHE": str(cache.folder), "TTAG_OFFLINE": "1"}


def edited_lock(text: Written, server: ScriptedServer, folder: Path) -> Environment:
    """Write a lock whose checksum is that of the text."""
    resolution = replace(text.resolution, reference=TAG, status=LOCKED, node=None)
    export = replace(text.export, reference=TAG)
    target = LockedTarget(AWAY, resolution, {export.format: export})
    write_lock(folder / "targets.lock", [target])
    return {"TTAG_REGISTRY": AWAY}


def write_mirror(text: Written, root: Path, *, has_digests: bool = True) -> None:
    form, answer = text.export.format, answer_of(text.resolution)
    data = text.export.text.encode()
    target = text.resolution.text.encode()
    identity = {name: answer[name] for name in answer.keys() - {"reference", "tag", "target"}}
    version: dict[str, Any] = {**identity, "formats": {form: list(text.export.dropped)}}
    if has_digests:
        version["texts"] = {form: digest_of(data)}
    overview = {"version": 1, "registry": AWAY, "created": "", "event": 1}
    documents: dict[str, dict[str, Any]] = {
        "mirror.json": {**overview, "namespaces": ["acme"], "formats": [form]},
        index_path(TAG): {"tag": TAG, "aliases": [], "versions": [version]},
    }
    files = {name: as_bytes(document) for name, document in documents.items()}
    files |= {digest_path(answer["digest"]): target, format_path(form, EXACT): data}
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)


Lie = Callable[[Written, ScriptedServer, Path], Environment]
LIARS: list[Lie] = [lying_registry, lying_mirror, poisoned_cache, edited_lock]


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("lie", LIARS, ids=lambda lie: lie.__name__)
@pytest.mark.parametrize("chosen", CHOSEN)
def test_lie_reaches_neither_terminal_nor_file(
    ttag: Ttag, server: ScriptedServer, work: Path, chosen: tuple[TextVector, Change], lie: Lie
) -> None:
    vector, change = chosen
    lie(hostile(vector, change), server, work)
    files = {*work.rglob("*")}
    arguments = ["resolve", TAG, "--format", vector.format]
    for more in ([], ["--json"], ["-o", "out"], ["--allow-unsafe"]):
        environment = lie(hostile(vector, change), server, work)
        run = ttag(*arguments, *more, directory=work, **environment)
        assert (run.code in REFUSED, run.out) == (True, ""), run.err
        assert run.err.replace("\n", "").isprintable()
        messages = [line for line in run.err.splitlines() if not line.startswith("note: ")]
        assert len([line for line in messages if " is in the cache as it was" not in line]) == 1
    assert {*work.rglob("*")} == files


@pytest.mark.parametrize("lie", LIARS, ids=lambda lie: lie.__name__)
@pytest.mark.parametrize("vector", VECTORS.texts, ids=str)
def test_truth_is_printed_from_the_same_places(
    ttag: Ttag,
    server: ScriptedServer,
    work: Path,
    vector: TextVector,
    lie: Lie,
) -> None:
    text = honest(VECTORS.bodies[vector.body], vector.format)
    environment = lie(text, server, work)
    run = ttag("resolve", TAG, "--format", vector.format, "-q", directory=work, **environment)
    assert (run.code, run.out.rstrip("\n")) == (0, vector.text.rstrip("\n"))
    age = f"warning: {TAG} is in the cache as it was on "
    assert run.err.startswith(age) if lie is poisoned_cache else run.err == ""


@pytest.mark.parametrize("vector", VECTORS.texts, ids=str)
def test_lock_of_a_lying_registry_is_not_written(
    ttag: Ttag, server: ScriptedServer, work: Path, vector: TextVector
) -> None:
    environment = lying_registry(hostile(vector, vector.refused[0]), server, work)
    run = ttag("lock", TAG, "--format", vector.format, directory=work, **environment)
    assert (run.code, run.out) == (5, "")
    assert not (work / "targets.lock").exists()


@pytest.mark.parametrize("vector", VECTORS.texts, ids=str)
def test_lie_of_a_mirror_on_a_web_server_is_refused(
    ttag: Ttag, work: Path, vector: TextVector
) -> None:
    arguments = ["resolve", TAG, "--format", vector.format, "-q"]
    with web_server(work) as address:
        write_mirror(honest(VECTORS.bodies[vector.body], vector.format), work)
        assert ttag(*arguments, TTAG_REGISTRY=address).code == 0
        write_mirror(hostile(vector, vector.refused[0]), work)
        run = ttag(*arguments, TTAG_REGISTRY=address)
        assert (run.code, run.out) == (5, "")


def test_text_without_the_digest_of_the_index_is_refused(ttag: Ttag, work: Path) -> None:
    text = honest(VECTORS.bodies["x86"], "clang")
    write_mirror(text, work)
    path = work / format_path("clang", EXACT)
    path.write_text(text.export.text + "\n")
    run = ttag("resolve", TAG, "--format", "clang", TTAG_REGISTRY=work.as_uri())
    assert (run.code, run.out) == (5, "")
    assert "does not have the SHA-256 that its index states" in run.err


def test_mirror_of_release_0_1_works_with_one_warning(ttag: Ttag, work: Path) -> None:
    text = honest(VECTORS.bodies["x86"], "clang")
    write_mirror(text, work, has_digests=False)
    arguments = ["resolve", TAG, EXACT, "--format", "clang", "-q"]
    run = ttag(*arguments, TTAG_REGISTRY=work.as_uri())
    assert (run.code, run.out) == (0, text.export.text * 2)
    assert run.err.count("has no SHA-256 of its texts, as before release 0.2") == 1
    write_mirror(hostile(VECTORS.texts[0], VECTORS.texts[0].refused[0]), work, has_digests=False)
    assert ttag(*arguments, TTAG_REGISTRY=work.as_uri()).code == 5


def test_node_that_is_not_of_the_target_is_refused(server: ScriptedServer, ttag: Ttag) -> None:
    board, x86 = VECTORS.bodies["board"], VECTORS.bodies["x86"]
    part = {**resolution_answer({**x86, "mcpu": "skylake"}), "node": {"pointer": "/host"}}
    server.responses = [response(part), response(resolution_answer(board, EXACT))]
    run = ttag("resolve", TAG, "--node", "/host", TTAG_REGISTRY=server.address)
    assert (run.code, run.out) == (5, "")
    assert "sent a node '/host' of acme/board that is not the node of" in run.err
