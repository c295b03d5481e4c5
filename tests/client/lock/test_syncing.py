"""`ttag sync`: what moves, and what a move means."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.client.conftest import Run, Ttag
from tests.client.publisher import HASWELL, MAJOR, MINOR, PATCH, Publisher
from tests.client.records import record, write_database
from tests.client.scripted_server import ScriptedServer, response
from ttag import Lock, Registry, Resolution
from ttag.mirror.mirroring import write_mirror
from ttag.moves import find_move
from ttag.records.database import folder_name

Sync = Callable[..., Run]


@pytest.fixture
def sync(ttag: Ttag, publisher: Publisher, tmp_path: Path) -> Sync:
    """Return a function that runs commands in a folder, against the registry of `publisher`."""

    def run(*arguments: str) -> Run:
        return ttag(*arguments, directory=tmp_path, TTAG_REGISTRY=publisher.address)

    return run


def locked(tmp_path: Path, reference: str) -> str:
    return Lock.read(tmp_path / "targets.lock").resolve(reference).version


@pytest.mark.parametrize(
    ("target", "lines"),
    [
        (
            PATCH,
            ["1.0.0 -> 1.0.1  PATCH: nothing to do", "    /hardware/vendor: absent -> Acme"],
        ),
        (
            MINOR,
            [
                "1.0.0 -> 1.1.0  MINOR: rebuild; tuning records stay valid",
                "    /executor/kind: absent -> aot",
            ],
        ),
        (
            MAJOR,
            [
                "1.0.0 -> 2.0.0  MAJOR: rebuild; tuning records of 1 of 1 leaves lost: the root",
                "    /mcpu: haswell -> skylake",
            ],
        ),
    ],
)
def test_move_says_what_it_means(
    sync: Sync, publisher: Publisher, target: dict[str, object], lines: list[str]
) -> None:
    tag = publisher.new_tag(HASWELL)
    assert sync("lock", tag).code == 0
    publisher.publish(tag, target)
    run = sync("sync")
    assert run.code == 0
    assert run.out.removeprefix(f"{tag}: ").splitlines() == lines
    assert sync("sync").remarks == "Every reference is at the newest version that it allows.\n"


@pytest.mark.parametrize(
    ("target", "folder", "line"),
    [
        (MINOR, "records", "1 of 1 keep applying; 1 failed and do not count"),
        (MAJOR, "records", "0 of 1 keep applying; 1 failed and do not count"),
        (MINOR, "records/key", "1 of 1 keep applying; 1 failed and do not count"),
    ],
)
def test_sync_says_which_records_keep_applying(  # noqa: PLR0917 - fixtures and a table
    sync: Sync,
    publisher: Publisher,
    tmp_path: Path,
    target: dict[str, object],
    folder: str,
    line: str,
) -> None:
    tag = publisher.new_tag(HASWELL)
    assert sync("lock", tag).code == 0
    (key,) = Lock.read(tmp_path / "targets.lock").resolve(tag).tuning_keys.values()
    database = tmp_path / folder.replace("key", folder_name(key))
    write_database(database, record(HASWELL), record(HASWELL, seconds=[1e10]))
    publisher.publish(tag, target)
    dry = json.loads(sync("sync", "--dry-run", "--json").out)
    assert dry[0]["records"] == {"total": 1, "kept": int(line[0]), "failed": 1}
    assert f"    records: {line}\n" in sync("sync").out


def test_records_that_cannot_be_compared_do_not_stop_a_move(
    ttag: Ttag, publisher: Publisher, tmp_path: Path
) -> None:
    tag, mirror = publisher.new_tag(HASWELL), tmp_path / "mirror"
    for target in (None, MAJOR):
        if target:
            publisher.publish(tag, target)
        write_mirror(Registry(publisher.address), mirror, namespaces=["acme"])
        command = "sync" if target else "lock"
        arguments = [] if target else [tag]
        write_database(tmp_path / "records", record(HASWELL))
        run = ttag(command, *arguments, directory=tmp_path, TTAG_REGISTRY=mirror.as_uri())
        assert run.code == 0
    assert f"note: {tag}: records were not compared. " in run.err
    assert locked(tmp_path, tag) == "2.0.0"


def test_broken_records_are_noticed_before_anything_moves(
    sync: Sync, publisher: Publisher, tmp_path: Path
) -> None:
    tag = publisher.new_tag(HASWELL)
    assert sync("lock", tag).code == 0
    publisher.publish(tag, MAJOR)
    write_database(tmp_path / "records", record(HASWELL))
    with (tmp_path / "records/database_tuning_record.json").open("a") as file:
        file.write("[")
    run = sync("sync")
    assert (run.code, "is not JSON" in run.err) == (6, True)
    assert locked(tmp_path, tag) == "1.0.0"


def test_a_target_and_its_nodes_move_together(
    sync: Sync, publisher: Publisher, tmp_path: Path
) -> None:
    board = {"kind": "composite", "devices": {"cpu": HASWELL}, "host": HASWELL}
    tag = publisher.new_tag(board)
    assert sync("lock", tag).code == 0
    publisher.publish(tag, {**board, "host": MAJOR})
    node, host = f"{tag}#/devices/cpu", f"{tag}#/host"
    assert sync("lock", node, host).code == 0
    assert locked(tmp_path, node).startswith("1.0.0")
    moves = {move["reference"]: move for move in json.loads(sync("sync", node, "--json").out)}
    assert moves.keys() == {tag, node, host}
    assert {locked(tmp_path, name) for name in moves} == {moves[tag]["new"].partition("@")[2]}
    assert "records of 1 of 1 leaves lost" in moves[host]["meaning"]
    assert Lock.read(tmp_path / "targets.lock").resolve(node).exact == moves[node]["new"]


def test_a_node_that_the_newer_version_lacks_stops_the_move(
    sync: Sync, publisher: Publisher, tmp_path: Path
) -> None:
    board = {"kind": "composite", "devices": {"cpu": HASWELL}}
    tag = publisher.new_tag(board)
    assert sync("lock", f"{tag}#/devices/cpu").code == 0
    publisher.publish(tag, {"kind": "composite", "devices": {"core": HASWELL}})
    run = sync("sync")
    assert (run.code, "has no node at '/devices/cpu'; it has /devices/core" in run.err) == (3, True)
    assert locked(tmp_path, f"{tag}#/devices/cpu") == "1.0.0"


def test_references_move_within_what_they_admit(
    sync: Sync, publisher: Publisher, tmp_path: Path
) -> None:
    tag = publisher.new_tag(HASWELL)
    references = [f"{tag}@1.0.0", f"{tag}@1.0", f"{tag}@1", tag]
    assert sync("lock", *references).code == 0
    for target in (PATCH, MINOR, MAJOR):
        publisher.publish(tag, target)
    assert sync("sync").code == 0
    versions = [locked(tmp_path, reference) for reference in references]
    assert versions == ["1.0.0", "1.0.1", "1.1.0", "2.0.0"]


def test_locking_moves_nothing(sync: Sync, publisher: Publisher, tmp_path: Path) -> None:
    tag = publisher.new_tag(HASWELL)
    sync("lock", tag)
    publisher.publish(tag, MINOR)
    for arguments in (["lock"], ["lock", tag], ["lock", tag, "--format", "clang"]):
        assert sync(*arguments).code == 0
        assert locked(tmp_path, tag) == "1.0.0"


def test_only_chosen_references_move(sync: Sync, publisher: Publisher, tmp_path: Path) -> None:
    one, other = publisher.new_tag(HASWELL), publisher.new_tag(HASWELL)
    sync("lock", one, other)
    publisher.publish(one, MINOR)
    publisher.publish(other, MINOR)
    assert sync("sync", one).code == 0
    assert (locked(tmp_path, one), locked(tmp_path, other)) == ("1.1.0", "1.0.0")


def test_moved_target_has_its_formats_again(
    sync: Sync, publisher: Publisher, tmp_path: Path
) -> None:
    tag = publisher.new_tag(HASWELL)
    sync("lock", tag, "--format", "clang")
    publisher.publish(tag, MAJOR)
    sync("sync")
    text = Lock.read(tmp_path / "targets.lock").export(tag, "clang").text
    assert "-march=skylake" in text


def test_dry_run_writes_nothing(sync: Sync, publisher: Publisher, tmp_path: Path) -> None:
    tag = publisher.new_tag(HASWELL)
    sync("lock", tag)
    publisher.publish(tag, MINOR)
    run = sync("sync", "--dry-run")
    assert "1.0.0 -> 1.1.0" in run.out
    assert run.remarks == "Nothing was written.\n"
    assert locked(tmp_path, tag) == "1.0.0"


def test_json_has_keys_and_changes(sync: Sync, publisher: Publisher) -> None:
    tag = publisher.new_tag(HASWELL | {"host": HASWELL})
    sync("lock", tag)
    publisher.publish(tag, MAJOR | {"host": HASWELL})
    (move,) = json.loads(sync("sync", "--json").out)
    assert (move["old"], move["new"], move["bump"]) == (f"{tag}@1.0.0", f"{tag}@2.0.0", "MAJOR")
    assert move["tuning_keys"] == {"kept": 1, "lost": [""], "new": [""]}
    assert not move["build_keys"]["equal"]
    assert move["changes"] == [{"pointer": "/mcpu", "old": "haswell", "new": "skylake"}]


def test_exact_reference_stays_when_it_is_yanked(
    sync: Sync, publisher: Publisher, tmp_path: Path
) -> None:
    tag = publisher.new_tag(HASWELL, MINOR)
    exact = f"{tag}@1.1.0"
    sync("lock", exact, f"{tag}@1")
    publisher.yank(exact, "wrong executor")
    run = sync("sync")
    assert run.code == 0
    assert f"warning: {exact}: {exact} was yanked: wrong executor.\n" in run.err
    assert f"{tag}@1: 1.1.0 -> 1.0.0  MINOR" in run.out
    assert (locked(tmp_path, exact), locked(tmp_path, f"{tag}@1")) == ("1.1.0", "1.0.0")


def test_reference_that_admits_nothing_any_more_stays(
    sync: Sync, publisher: Publisher, tmp_path: Path
) -> None:
    tag = publisher.new_tag(HASWELL)
    sync("lock", tag)
    publisher.yank(f"{tag}@1.0.0", "wrong")
    assert sync("sync").code == 3
    assert locked(tmp_path, tag) == "1.0.0"


def test_mirror_moves_references_as_its_registry_does(
    sync: Sync, ttag: Ttag, publisher: Publisher, tmp_path: Path
) -> None:
    tag, mirror = publisher.new_tag(HASWELL), tmp_path / "mirror"
    sync("mirror", str(mirror), "--namespace", "acme", "--format", "clang")
    address = mirror.as_uri()
    run = ttag("lock", tag, "--format", "clang", directory=tmp_path, TTAG_REGISTRY=address)
    assert run.code == 0
    publisher.publish(tag, MAJOR)
    sync("mirror", str(mirror), "--namespace", "acme", "--format", "clang")
    run = ttag("sync", directory=tmp_path, TTAG_REGISTRY=address)
    assert run.out.startswith(f"{tag}: 1.0.0 -> 2.0.0  MAJOR: rebuild; tuning records of 1 of 1")
    assert ttag("check", directory=tmp_path, TTAG_REGISTRY=address).code == 0


def test_reference_that_is_not_locked_is_refused(sync: Sync, publisher: Publisher) -> None:
    sync("lock", publisher.new_tag(HASWELL))
    run = sync("sync", "acme/none")
    assert run.code == 3
    assert "acme/none is not in targets.lock. Add it with `ttag lock acme/none`." in run.err


def test_without_a_lock_there_is_nothing_to_move(sync: Sync) -> None:
    run = sync("sync")
    assert run.code == 6
    assert "`ttag lock` writes it." in run.err


def test_unreachable_registry_leaves_the_lock(
    sync: Sync, ttag: Ttag, publisher: Publisher, tmp_path: Path
) -> None:
    tag = publisher.new_tag(HASWELL)
    sync("lock", tag)
    run = ttag("sync", directory=tmp_path, TTAG_REGISTRY="http://127.0.0.1:9")
    assert run.code == 4
    assert locked(tmp_path, tag) == "1.0.0"


def resolution(tag: str, version: str, **keys: str) -> Resolution:
    return Resolution(tag, tag, version, "sha256:0", "active", "{}", keys)


@pytest.mark.parametrize(
    ("old", "new", "bump"),
    [
        (("a/a", "1.0.0"), ("a/a", "1.0.4"), "PATCH"),
        (("a/a", "1.0.0"), ("a/a", "1.2.0"), "MINOR"),
        (("a/a", "1.2.0"), ("a/a", "2.2.0"), "MAJOR"),
        (("a/a", "1.0.0"), ("a/b", "1.0.0"), "MAJOR"),
    ],
)
@pytest.mark.parametrize("body", [b"{}", b"[]", b'{"changes": [1]}', b'{"changes": [], "bump": 7}'])
def test_version_numbers_tell_the_bump_if_the_registry_does_not(
    server: ScriptedServer, old: tuple[str, str], new: tuple[str, str], bump: str, body: bytes
) -> None:
    server.responses.append(response(body))
    move = find_move(Registry(server.address), "a/a", resolution(*old), resolution(*new))
    assert move.bump == bump


def test_leaves_with_the_same_key_are_counted(server: ScriptedServer) -> None:
    server.responses.append(response({}))
    old = resolution("a/a", "1.0.0", one="tk1:0", two="tk1:0", three="tk1:1")
    new = resolution("a/a", "2.0.0", one="tk1:0", three="tk1:1", four="tk1:2")
    move = find_move(Registry(server.address), "a/a", old, new)
    assert (move.kept, move.lost, move.untuned) == (2, ("two",), ("four",))
    assert move.meaning == "rebuild; tuning records of 1 of 3 leaves lost: two"


def test_summary_is_markdown_in_which_nothing_of_the_registry_is_markup(
    sync: Sync, publisher: Publisher, tmp_path: Path
) -> None:
    tag = publisher.new_tag(HASWELL)
    sync("lock", tag)
    message = "@alice ![x](https://evil.example) <img src=x> `code` ``two``"
    publisher.publish(tag, MAJOR, message)
    assert sync("sync", "--dry-run", "--summary", "summary.md").code == 0
    lines = (tmp_path / "summary.md").read_text().splitlines()
    assert lines[0] == f"### `{tag}`"
    (line,) = (line for line in lines if "@alice" in line)
    assert line.startswith("- ```")
    assert line.endswith(f"{message} ```"), "a fence that the text does not have"
    assert locked(tmp_path, tag) == "1.0.0"


def test_summary_is_empty_where_nothing_moves(
    sync: Sync, publisher: Publisher, tmp_path: Path
) -> None:
    sync("lock", publisher.new_tag(HASWELL))
    (tmp_path / "summary.md").write_text("of an earlier run")
    assert sync("sync", "--summary", "summary.md").code == 0
    assert (tmp_path / "summary.md").read_text() == ""
