"""`ttag lock`, and resolving from what it writes."""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from tests.client.answers import resolution_answer
from tests.client.conftest import Ttag
from tests.client.scripted_server import CLOSED, ScriptedServer, problem, response
from tests.databases import ROOT
from tests.patience import PATIENCE
from ttag import (
    Export,
    ExportOptions,
    FileError,
    Lock,
    NotLocked,
    Project,
    Refused,
    Registry,
    Tampered,
    TtagError,
    Unreachable,
)
from ttag.http.cache import Cache
from ttag.lock.locking import lock_targets

AWAY = "http://127.0.0.1:9"  # nothing listens there
SETTINGS = """
targets = ["nvidia/jetson-nano:cuda@1", "arm/soc"]
formats = ["clang"]
"""


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """Return a folder with settings that name two targets and a format."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "ttag.toml").write_text(SETTINGS)
    return folder


@pytest.fixture
def locked(work: Path, ttag: Ttag) -> Path:
    """Return the folder, after `ttag lock`."""
    assert ttag("lock", directory=work).code == 0
    return work


def project(folder: Path, address: str = AWAY, **variables: str) -> Project:
    """Return the project in a folder, by default with a registry that is away."""
    environment = {"TTAG_REGISTRY": address, "TTAG_CACHE": str(folder / "cache"), **variables}
    return Project.open(folder, environment=environment)


def references(folder: Path) -> list[str]:
    return [*Lock.read(folder / "targets.lock").targets]


def test_lock_follows_the_settings(work: Path, ttag: Ttag) -> None:
    run = ttag("lock", directory=work)
    assert run.code == 0
    assert run.out.splitlines() == [
        "added arm/soc at arm/soc@1.0.0 as clang",
        "added nvidia/jetson-nano:cuda@1 at nvidia/jetson-nano:cuda@1.2.0 as clang",
    ]
    assert run.remarks == "targets.lock holds 2 targets.\n"
    (work / "ttag.toml").write_text('targets = ["arm/soc"]')
    assert ttag("lock", directory=work).out == "removed nvidia/jetson-nano:cuda@1\n"
    assert references(work) == ["arm/soc"]


def test_locking_again_changes_nothing_and_asks_nobody(locked: Path, ttag: Ttag) -> None:
    before = (locked / "targets.lock").stat()
    run = ttag("lock", directory=locked, TTAG_REGISTRY="")
    assert (run.code, run.out) == (0, "")
    assert (locked / "targets.lock").stat().st_mtime_ns == before.st_mtime_ns
    assert sorted(path.name for path in locked.iterdir()) == ["targets.lock", "ttag.toml"]


def test_references_are_added(locked: Path, ttag: Ttag) -> None:
    run = ttag("lock", "micro/aot", directory=locked)
    assert run.code == 3
    assert "micro/aot as clang: micro/aot@1.0.0 is a mixin" in run.err
    run = ttag("lock", "aws/c4.4xlarge@1.0", "--format", "cmake", directory=locked)
    assert run.out == "added aws/c4.4xlarge@1.0 at aws/c4.4xlarge@1.0.0 as clang, cmake\n"
    assert "note: aws/c4.4xlarge@1.0 is not in `targets` of ttag.toml; until it is, " in run.err
    assert len(references(locked)) == 3


def test_formats_are_kept_until_their_target_is_removed(locked: Path, ttag: Ttag) -> None:
    assert "changed arm/soc" in ttag("lock", "arm/soc", "--format", "cmake", directory=locked).out
    for arguments in (["lock"], ["lock", "arm/soc"]):
        assert ttag(*arguments, directory=locked).out == ""
    assert {*Lock.read(locked / "targets.lock").targets["arm/soc"].exports} == {"clang", "cmake"}


def test_without_targets_in_the_settings_the_lock_is_the_list(tmp_path: Path, ttag: Ttag) -> None:
    run = ttag("lock", directory=tmp_path)
    assert run.code == 2
    assert "There is nothing to lock: name references, or list them as `targets`" in run.err
    assert ttag("lock", "arm/soc", directory=tmp_path).remarks == "targets.lock holds 1 target.\n"
    (tmp_path / "ttag.toml").write_text('formats = ["clang"]')
    assert ttag("lock", directory=tmp_path).out == "changed arm/soc at arm/soc@1.0.0 as clang\n"


def test_json_lists_targets_and_changes(work: Path, ttag: Ttag, registry: str) -> None:
    answer = json.loads(ttag("lock", "--json", directory=work).out)
    assert answer["added"] == ["arm/soc", "nvidia/jetson-nano:cuda@1"]
    target = answer["targets"][0]
    assert target["digest"].startswith("sha256:")
    assert (target["exact"], target["registry"], target["formats"]) == (
        "arm/soc@1.0.0",
        registry,
        ["clang"],
    )


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["arm/sco"], 3, "There is no tag arm/sco. Did you mean arm/soc?"),
        (["arm"], 3, "arm is not a tag: a name has a namespace and a slash"),
        (["arm/soc", "--format", "clagn"], 3, "arm/soc as clagn: There is no format clagn."),
        (["nvidia/a100"], 3, "nvidia/a100 as clang: nvidia/nvidia-a100@2.0.0 is not a CPU"),
        (["arm/soc", "--strict"], 3, "clang has to leave out /keys, /model of arm/soc."),
        (["--strict"], 3, "clang has to leave out /keys, /model of arm/soc."),
    ],
)
def test_refused_reference_leaves_the_lock_as_it_was(
    locked: Path, ttag: Ttag, arguments: list[str], code: int, message: str
) -> None:
    before = (locked / "targets.lock").read_bytes()
    run = ttag("lock", *arguments, directory=locked)
    assert run.code == code
    assert f"error: {message}" in run.err
    assert (locked / "targets.lock").read_bytes() == before


def test_every_refused_reference_is_reported(locked: Path, ttag: Ttag) -> None:
    run = ttag("lock", "arm/sco", "arm/soc:aot", "aws/c4.4xlarge@9", directory=locked)
    assert run.code == 3
    assert [line[:7] for line in run.remarks.splitlines()] == ["error: "] * 2


def test_format_that_only_some_targets_have_is_explained(locked: Path, ttag: Ttag) -> None:
    run = ttag("lock", "nvidia/a100", directory=locked)
    assert "If only some targets have clang, take it out of `formats` of the settings" in run.err
    assert "`ttag lock REF --format clang`" in run.err


def test_locking_offline_asks_for_the_network(locked: Path, ttag: Ttag) -> None:
    run = ttag("lock", "arm/soc:aot", directory=locked, TTAG_OFFLINE="1")
    assert run.code == 4
    assert "has to be asked for, but ttag is offline." in run.err


def test_unreachable_registry_leaves_no_lock(work: Path, ttag: Ttag) -> None:
    assert ttag("lock", directory=work, TTAG_REGISTRY=AWAY).code == 4
    assert [path.name for path in work.iterdir()] == ["ttag.toml"]


def test_locked_targets_need_no_network(locked: Path) -> None:
    offline = project(locked)
    assert offline.resolve("arm/soc").target["mcpu"] == "cortex-m7"
    assert offline.export("arm/soc", "clang").text == "--target=arm-none-eabi -mcpu=cortex-m7\n"
    assert offline.export("arm/soc", "target").text == offline.resolve("arm/soc").text
    assert not (locked / "cache").exists()


def test_exact_reference_finds_what_is_locked(locked: Path) -> None:
    resolution = project(locked).resolve("nvidia/jetson-nano:cuda@1.2.0")
    assert resolution.reference == "nvidia/jetson-nano:cuda@1.2.0"
    export = project(locked).export("nvidia/jetson-nano:cuda@1.2.0", "clang")
    assert export.reference == "nvidia/jetson-nano:cuda@1.2.0"


def test_locked_resolution_equals_that_of_the_registry(locked: Path, registry: str) -> None:
    fresh = project(locked, registry).registry().resolve("nvidia/jetson-nano:cuda@1")
    resolution = project(locked).resolve("nvidia/jetson-nano:cuda@1")
    for name in ("exact", "digest", "text", "tuning_keys", "build_key"):
        assert getattr(resolution, name) == getattr(fresh, name)
    assert resolution.status == "locked"
    assert resolution.as_json().keys() == fresh.as_json().keys() - {
        "published",
        "lineage",
        "warnings",
    }


def test_locked_and_other_references_are_resolved_together(locked: Path, registry: str) -> None:
    some = ["aws/c4.4xlarge@1.0.0", "arm/soc", "arm"]
    one, two, three = project(locked, registry).resolve_many(some)
    assert not isinstance(one, TtagError)
    assert not isinstance(two, TtagError)
    assert isinstance(three, TtagError)
    assert (one.status, two.status) == ("active", "locked")
    exports = project(locked, registry).export_many(some, "cmake")
    assert [isinstance(each, Export) and each.reference for each in exports] == [*some[:2], False]


def test_format_that_is_not_locked_comes_from_the_cache(locked: Path, registry: str) -> None:
    fetched = project(locked, registry).export("arm/soc", "cmake")
    assert "cortex-m7" in fetched.text
    assert project(locked, registry, TTAG_OFFLINE="1").export("arm/soc", "cmake") == fetched


def test_cache_serves_a_format_while_the_registry_is_away(
    locked: Path, server: ScriptedServer
) -> None:
    target = project(locked).resolve("arm/soc").target
    line = b"c -keys=arm_cpu,cpu -mcpu=cortex-m7 -model=arm-soc"
    server.responses.append(response(resolution_answer(target, "arm/soc@1.0.0")))
    server.responses.append(response(line, media_type="text/plain"))
    cache = Cache(locked / "cache")
    cached = Registry(server.address, cache=cache).export("arm/soc@1.0.0", "tvm-string")
    server.responses[:] = [CLOSED]
    warnings: list[str] = []
    away = replace(project(locked, server.address), warn=warnings.append)
    assert away.export("arm/soc", "tvm-string").text == cached.text
    assert "closed the connection" in warnings[0]


@pytest.mark.parametrize(
    ("variables", "error"), [({"TTAG_OFFLINE": "1"}, NotLocked), ({}, Unreachable)]
)
def test_format_that_cannot_be_fetched_names_the_command(
    locked: Path, variables: dict[str, str], error: type[TtagError]
) -> None:
    message = r"targets\.lock does not hold arm/soc as cmake\. .*`ttag lock arm/soc --format cmake`"
    with pytest.raises(error, match=message):
        project(locked, **variables).export("arm/soc", "cmake")


def test_node_of_a_locked_target_comes_from_the_lock(locked: Path, registry: str) -> None:
    reference = "nvidia/jetson-nano:cuda@1"
    host = project(locked).resolve(reference, node="/host")
    assert (host.reference, host.target["mcpu"]) == (f"{reference}#/host", "cortex-a57")
    assert project(locked).resolve(f"{reference}#/host") == host
    options = ExportOptions(node="/host")
    flags = project(locked, registry).export(reference, "clang", options)
    assert (flags.reference, flags.text) == (
        f"{reference}#/host",
        "--target=aarch64-linux-gnu -mcpu=cortex-a57\n",
    )
    with pytest.raises(Unreachable):
        project(locked.parent, AWAY).resolve(reference, node="/host")
    with pytest.raises(Unreachable, match="--format clang"):
        project(locked).export(reference, "clang", options)


def test_strict_refuses_a_locked_format_that_leaves_something_out(locked: Path) -> None:
    assert project(locked).export("arm/soc", "clang").dropped == ("/keys", "/model")
    with pytest.raises(Refused, match="clang has to leave out /keys, /model of arm/soc"):
        project(locked).export("arm/soc", "clang", ExportOptions(strict=True))


def test_registry_with_another_target_for_a_locked_version_is_not_believed(
    locked: Path, server: ScriptedServer, registry: str
) -> None:
    other = project(locked, registry).registry().resolve("nvidia/jetson-nano:cuda@1")
    lie = other.as_json() | {"reference": "arm/soc@1.0.0", "tag": "arm/soc", "version": "1.0.0"}
    server.responses.append(response(lie))
    with pytest.raises(Tampered, match="Published versions never change"):
        project(locked, server.address).export("arm/soc", "cmake")


def test_version_that_the_registry_lacks_is_not_replaced(
    locked: Path, server: ScriptedServer
) -> None:
    server.responses.append(problem("VERSION_UNKNOWN", 404, "There is no arm/soc@1.0.0."))
    with pytest.raises(Refused, match=r"There is no arm/soc@1\.0\.0"):
        project(locked, server.address).export("arm/soc", "cmake")
    assert all("/resolve/arm/soc@1.0.0" in request for request in server.requests)


@pytest.mark.parametrize("arguments", [["--locked"], []])
def test_reference_that_is_not_locked(locked: Path, ttag: Ttag, arguments: list[str]) -> None:
    run = ttag("resolve", "arm/soc:aot", *arguments, directory=locked)
    assert "arm/soc:aot is not in targets.lock. Add it with `ttag lock arm/soc:aot`." in run.err
    assert run.code == (3 if arguments else 0)
    exact = ttag("resolve", "arm/soc:aot@1.0.0", *arguments, directory=locked)
    assert (exact.code, bool(exact.err)) == ((3, True) if arguments else (0, False))


def test_locked_is_a_setting_and_a_variable(locked: Path, ttag: Ttag) -> None:
    assert ttag("resolve", "arm/soc:aot", directory=locked, TTAG_LOCKED="1").code == 3
    assert ttag("resolve", "arm/soc", directory=locked, TTAG_LOCKED="1").code == 0


def test_target_edited_by_hand_is_replaced_on_demand_only(locked: Path, ttag: Ttag) -> None:
    path = locked / "targets.lock"
    before = path.read_text()
    path.write_text(before.replace("cortex-m7", "cortex-m4"))
    for arguments in (["resolve", "arm/soc"], ["lock"], ["sync"], ["lock", "aws/c4.4xlarge@1.0"]):
        run = ttag(*arguments, directory=locked)
        assert run.code == 5
        assert "arm/soc cannot be trusted: " in run.err
        assert "lock it again with `ttag lock arm/soc`" in run.err
    assert ttag("lock", "arm/soc", directory=locked).code == 0
    assert path.read_text() == before


def test_registry_of_the_settings_replaces_that_of_the_lock(
    locked: Path, ttag: Ttag, registry: str
) -> None:
    other = registry.replace("127.0.0.1", "localhost")
    assert "changed arm/soc" in ttag("lock", directory=locked, TTAG_REGISTRY=other).out
    targets = Lock.read(locked / "targets.lock").targets.values()
    assert {target.registry for target in targets} == {other}


def test_version_with_another_digest_is_not_locked_again(
    locked: Path, ttag: Ttag, server: ScriptedServer, registry: str
) -> None:
    answer = project(locked, registry).registry().resolve("arm/soc:aot").as_json()
    server.responses.append(response({**answer, "reference": "arm/soc", "tag": "arm/soc"}))
    before = (locked / "targets.lock").read_bytes()
    (locked / "ttag.toml").write_text("")
    run = ttag("lock", "arm/soc", directory=locked, TTAG_REGISTRY=server.address)
    assert run.code == 5
    assert (locked / "targets.lock").read_bytes() == before


def test_threads_share_a_lock(locked: Path) -> None:
    shared = project(locked)
    with ThreadPoolExecutor(8) as pool:
        results = pool.map(lambda _: shared.resolve("arm/soc").target, range(64))
    assert all(target["mcpu"] == "cortex-m7" for target in results)


def test_lock_itself_tells_what_it_lacks(locked: Path) -> None:
    lock = Lock.read(locked / "targets.lock")
    assert lock.resolve("arm/soc").exact == "arm/soc@1.0.0"
    assert lock.export("arm/soc", "clang").text.startswith("--target=")
    with pytest.raises(NotLocked, match="`ttag lock arm/sco`"):
        lock.resolve("arm/sco")
    with pytest.raises(NotLocked, match="`ttag lock arm/soc --format cmake`"):
        lock.export("arm/soc", "cmake")
    with pytest.raises(Refused):
        lock.export("arm/soc", "clang", strict=True)
    with pytest.raises(FileError, match=r"There is no .*none\. `ttag lock` writes it"):
        Lock.read(locked / "none")


def test_processes_that_lock_at_once_lose_nothing(tmp_path: Path, registry: str) -> None:
    some = ["arm/soc", "arm/soc:aot", "aws/c4.4xlarge@1", "aws/c4.large@1", "nvidia/a100"]
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT / "client"),
        "TTAG_CACHE": str(tmp_path / "cache"),
        "TTAG_REGISTRY": registry,
    }
    work = tmp_path / "work"
    work.mkdir()
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "ttag", "lock", reference], cwd=work, env=environment
        )
        for reference in some
    ]
    assert [process.wait(timeout=PATIENCE) for process in running] == [0] * len(some)
    assert references(work) == some
    assert [path.name for path in work.iterdir()] == ["targets.lock"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signal_ends_locking_and_leaves_nothing(
    tmp_path: Path, server: ScriptedServer, number: signal.Signals
) -> None:
    environment = {"PYTHONPATH": str(ROOT / "client"), "TTAG_REGISTRY": server.address}
    program = (
        f"import signal; signal.signal({int(number)}, signal.SIG_DFL)\n"  # nohup ignores SIGHUP
        "from ttag.__main__ import run; run()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, "lock", "arm/soc"],
        cwd=tmp_path,
        env=environment,
        stderr=subprocess.PIPE,
    ) as process:
        give_up = time.monotonic() + PATIENCE
        while not server.requests and time.monotonic() < give_up:  # it never answers
            time.sleep(0.01)
        assert [path.name for path in tmp_path.iterdir()] == [".targets.lock.lock"]
        process.send_signal(number)
        assert process.communicate(timeout=PATIENCE)[1] == b""
    assert process.returncode == 128 + number
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("step", ["os.fsync", "pathlib.Path.replace"])
def test_full_disk_leaves_the_old_lock(
    locked: Path, ttag: Ttag, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    before = (locked / "targets.lock").read_bytes()
    monkeypatch.setattr(step, fail)
    run = ttag("lock", "arm/soc:aot", directory=locked)
    assert run.code == 6
    assert "targets.lock cannot be written: No space left on device." in run.err
    assert (locked / "targets.lock").read_bytes() == before
    assert sorted(path.name for path in locked.iterdir()) == ["targets.lock", "ttag.toml"]


@pytest.fixture
def full_folder(tmp_path: Path) -> Iterator[Path]:
    """Mount a full file system, which only root may do."""
    if os.geteuid():
        pytest.skip("only root may mount a file system")
    folder = tmp_path / "full"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(folder)]
    subprocess.run(mount, check=True)
    try:
        (folder / "ballast").write_bytes(bytes(64 * 1024))
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_disk_that_is_really_full_gets_no_half_lock(full_folder: Path, ttag: Ttag) -> None:
    run = ttag("lock", "arm/soc", directory=full_folder)
    assert run.code == 6
    assert "No space left on device" in run.err
    assert [path.name for path in full_folder.iterdir()] == ["ballast"]


def test_folder_that_is_read_only_still_resolves(
    locked: Path, ttag: Ttag, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("os.open", refuse)
    monkeypatch.setattr("tempfile.mkstemp", refuse)
    run = ttag("lock", "arm/soc:aot", directory=locked)
    assert (run.code, "Read-only file system" in run.err) == (6, True)
    assert ttag("check", directory=locked).code == 0
    assert ttag("sync", "--dry-run", directory=locked).code == 0
    assert ttag("resolve", "arm/soc", "--format", "cmake", directory=locked).code == 0


def test_library_locks_as_the_command_does(work: Path, registry: str) -> None:
    changes = lock_targets(project(work, registry))
    assert changes.added == ("arm/soc", "nvidia/jetson-nano:cuda@1")
    assert project(work).resolve("arm/soc").exact == "arm/soc@1.0.0"


def test_lock_that_is_a_link_to_nowhere_is_not_taken_for_none(work: Path, ttag: Ttag) -> None:
    (work / "targets.lock").symlink_to(work / "gone" / "targets.lock")
    for command in (("resolve", "arm/soc:aot"), ("check",)):
        run = ttag(*command, directory=work)
        assert run.code == 6
        assert run.out == ""
        assert "targets.lock cannot be read: No such file" in run.err
