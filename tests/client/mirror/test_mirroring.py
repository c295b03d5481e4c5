"""Copying a registry into a mirror, again and again."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.client.conftest import Ttag
from tests.client.mirror.conftest import FORMATS
from tests.client.scripted_server import (
    NO_CATALOGUE,
    NO_LOG,
    ScriptedServer,
    problem,
    response,
)
from tests.patience import PATIENCE
from ttag import FileError, Mirror, Refused, Registry, SettingsError, Unreachable
from ttag.errors import ExitCode
from ttag.files import write_file
from ttag.mirror.mirroring import write_mirror


def files(root: Path) -> dict[str, bytes]:
    """Return the contents of all files of a mirror by path."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and not path.name.startswith(".")
    }


def modification_times(root: Path) -> dict[str, int]:
    return {path: (root / path).stat().st_mtime_ns for path in files(root)}


def overview(root: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((root / "mirror.json").read_text())
    return document


@pytest.fixture
def copied(folder: Path, tmp_path: Path) -> Path:
    """Return a copy of the mirror, to continue it."""
    return Path(shutil.copytree(folder, tmp_path / "copied"))


def test_checksums_are_those_that_sha256sum_checks(folder: Path) -> None:
    command = (
        "sha256sum --check --strict --quiet SHA256SUMS && "
        "cat checksums/* | sha256sum --check --strict --quiet"
    )
    subprocess.run(["sh", "-c", command], cwd=folder, check=True, timeout=PATIENCE)
    parts = [folder / "SHA256SUMS", *(folder / "checksums").iterdir()]
    lines = [line for part in parts for line in part.read_text().splitlines()]
    assert {line.split("  ", 1)[1] for line in lines} == files(folder).keys() - {"SHA256SUMS"}
    assert max(part.stat().st_size for part in parts) < 30_000  # no part grows with all


def test_overview_names_the_sources_of_the_facts(registry: str, folder: Path) -> None:
    notices = overview(folder)["notices"]
    assert notices == Registry(registry).get("/catalogue")["notices"]
    assert {"source", "url", "licences"} == set(notices[0])


def test_second_run_writes_only_the_overview(registry: str, copied: Path) -> None:
    before = modification_times(copied)
    summary = write_mirror(Registry(registry), copied, formats=FORMATS)
    assert summary.written <= 1
    assert summary.removed == 0
    changed = {path for path, time in modification_times(copied).items() if time != before[path]}
    assert changed <= {"mirror.json", "SHA256SUMS"}


def test_mirror_of_some_namespaces_holds_no_others(registry: str, copied: Path) -> None:
    summary = write_mirror(Registry(registry), copied, namespaces=["arm", "micro"])
    assert overview(copied)["namespaces"] == ["arm", "micro"]
    assert overview(copied)["formats"] == []
    assert not [*(copied / "formats").iterdir()]
    indexes = [path.name for path in (copied / "index").iterdir()]
    assert {name.partition("%2F")[0] for name in indexes} == {"arm", "micro"}
    assert len(indexes) == summary.tags + summary.aliases
    assert summary.removed > len(indexes)


def test_namespaces_can_be_added(registry: str, tmp_path: Path, folder: Path) -> None:
    write_mirror(Registry(registry), tmp_path, namespaces=["micro"])
    write_mirror(Registry(registry), tmp_path, formats=FORMATS)
    ours, complete = files(tmp_path), files(folder)
    for name in ("mirror.json", "SHA256SUMS"):
        del ours[name], complete[name]
    assert ours == complete


def test_alias_of_a_tag_that_is_not_mirrored_is_left_out(
    server: ScriptedServer, tmp_path: Path
) -> None:
    event = {"number": 7, "action": "alias.pointed", "subject": "acme/x"}
    log = {"results": [{**event, "detail": {"to": "other/x"}}], "next": None}
    server.responses = [response({}), response(log), NO_LOG, NO_CATALOGUE]
    summary = write_mirror(Registry(server.address), tmp_path, namespaces=["acme"])
    assert (summary.aliases, summary.event) == (0, 7)


def test_unknown_namespace_is_refused(registry: str, tmp_path: Path) -> None:
    with pytest.raises(Refused) as error:
        write_mirror(Registry(registry), tmp_path, namespaces=["nvdia"])
    assert error.value.code == "NAMESPACE_UNKNOWN"
    assert error.value.suggestions == ("nvidia",)


def test_unknown_format_is_refused(registry: str, tmp_path: Path) -> None:
    with pytest.raises(Refused) as error:
        write_mirror(Registry(registry), tmp_path, formats=["clnag"])
    assert error.value.code == "FORMAT_UNKNOWN"


def test_folder_with_other_files_is_left_alone(registry: str, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").touch()
    with pytest.raises(SettingsError, match=r"holds thesis\.txt, which is not part of a mirror"):
        write_mirror(Registry(registry), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_file_in_place_of_the_folder_is_an_error(registry: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FileError, match="file cannot be read: Not a directory"):
        write_mirror(Registry(registry), tmp_path / "file")


def test_offline_registry_is_not_asked(registry: str, tmp_path: Path) -> None:
    with pytest.raises(Unreachable, match="but ttag is offline"):
        write_mirror(Registry(registry, offline=True), tmp_path)


def test_interrupted_run_leaves_the_older_mirror_and_is_made_up_for(
    registry: str, copied: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interrupt before each of the last files: first indexes, then the overview."""
    for path in ("index/arm%2Fsoc.json", "mirror.json", "SHA256SUMS"):
        (copied / "index/arm%2Fsoc.json").write_text("{}")
        with monkeypatch.context() as patch:
            interrupt_before(copied / path, patch)
            with pytest.raises(KeyboardInterrupt):
                write_mirror(Registry(registry), copied, formats=FORMATS, is_full=True)
        assert Mirror.open(copied.as_uri()).resolve("arm/soc:aot").version == "1.0.0"
    summary = write_mirror(Registry(registry), copied, formats=FORMATS)
    assert summary.reason == "the last run was interrupted"
    assert files(copied).keys() == files(folder).keys()
    assert (copied / "index/arm%2Fsoc.json").read_bytes() == (
        folder / "index/arm%2Fsoc.json"
    ).read_bytes()


def interrupt_before(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(path: Path, data: bytes, *, is_durable: bool = True) -> None:
        if path == file:
            raise KeyboardInterrupt
        write_file(path, data, is_durable=is_durable)

    monkeypatch.setattr("ttag.mirror.writer.write_file", interrupted)


def test_parts_of_files_that_a_killed_run_has_left_in_the_root_are_removed(
    registry: str, copied: Path
) -> None:
    names = ("mirror.json", "compatibility.json", "SHA256SUMS", ".unfinished")
    for name in names:
        (copied / f".{name}.01234567").touch()
    (copied / ".htaccess").touch()
    write_mirror(Registry(registry), copied, formats=FORMATS)
    assert [path.name for path in copied.glob(".*")] == [".htaccess"]


def test_files_of_an_interrupted_run_are_removed(registry: str, copied: Path) -> None:
    outdated = ["digests/sha256/00", "index/x%2Fy.json", "formats/old/x", "index/.x.json.partial"]
    for path in outdated:
        (copied / path).parent.mkdir(exist_ok=True)
        (copied / path).write_text("{}")
    summary = write_mirror(Registry(registry), copied, formats=FORMATS, is_full=True)
    assert summary.removed == len(outdated)
    assert not any((copied / path).exists() for path in outdated)
    assert not (copied / "formats/old").exists()


def test_version_that_has_vanished_leaves_the_index(
    server: ScriptedServer, registry: str, tmp_path: Path
) -> None:
    """As after restoring an older backup: the log is shorter, and a tag is gone."""
    number = write_mirror(Registry(registry), tmp_path, namespaces=["micro"]).event
    document = overview(tmp_path) | {"registry": server.address}
    (tmp_path / "mirror.json").write_text(json.dumps(document))
    published = [
        {"number": number, "action": "version.published", "subject": f"micro/{name}@1.0.0"}
        for name in ("aot", "gone")
    ]
    resolution = Registry(registry).resolve("micro/aot@1.0.0").as_json()
    unknown = {"type": "/p", "code": "TAG_UNKNOWN", "status": 404, "detail": "There is no tag."}
    server.responses = [
        response({}),
        problem("FILTER_INVALID", 400, "That event does not exist yet."),
        response({"results": published, "next": None}),
        response({"results": [resolution, unknown]}),
        problem("TAG_UNKNOWN", 404, "There is no tag."),
    ]
    write_mirror(Registry(server.address), tmp_path, namespaces=["micro"])
    assert [path.name for path in (tmp_path / "index").iterdir()] == ["micro%2Faot.json"]


def test_only_new_events_are_read(server: ScriptedServer, registry: str, tmp_path: Path) -> None:
    summary = write_mirror(Registry(registry), tmp_path, namespaces=["riscv"])
    document = overview(tmp_path) | {"registry": server.address}
    (tmp_path / "mirror.json").write_text(json.dumps(document))
    index = next((tmp_path / "index").iterdir())
    exact = f"{json.loads(index.read_text())['tag']}@1.0.0"
    resolutions = [each.as_json() for each in resolve_all(registry, tmp_path)]
    server.responses = [
        response({}),
        response({"results": [], "next": None}),
        response({"results": resolutions}),
        NO_LOG,
        NO_CATALOGUE,
    ]
    write_mirror(Registry(server.address), tmp_path, namespaces=["riscv"])
    assert server.requests[1].startswith(f"GET /api/v1/events?after={summary.event} ")
    assert exact in server.requests[2]
    assert len(server.requests) == 5
    assert overview(tmp_path)["notices"] == []


def resolve_all(registry: str, root: Path) -> list[Any]:
    texts = []
    for file in (root / "index").iterdir():
        index = json.loads(file.read_text())
        texts += [f"{index['tag']}@{version['version']}" for version in index.get("versions", ())]
    return Registry(registry).resolve_many(sorted(texts))


def test_registry_without_a_log_is_noticed(server: ScriptedServer, tmp_path: Path) -> None:
    server.responses = [response({}), response({"items": []})]
    with pytest.raises(Unreachable, match="is not a list"):
        write_mirror(Registry(server.address), tmp_path, namespaces=["acme"])


def test_command_says_what_has_changed(ttag: Ttag, tmp_path: Path) -> None:
    run = ttag("mirror", "copy", "--namespace", "micro", "--format", "tvm", directory=tmp_path)
    assert run.code == ExitCode.OK
    assert "tags with" in run.out
    assert f"The mirror has the address {(tmp_path / 'copy').as_uri()}" in run.err
    run = ttag("mirror", "copy", "--namespace", "micro", "--json", directory=tmp_path)
    result = json.loads(run.out)
    assert result["address"] == (tmp_path / "copy").as_uri()
    assert result["versions"] >= result["tags"] > 0
    run = ttag("resolve", "micro/aot", directory=tmp_path, TTAG_REGISTRY=result["address"])
    assert (run.code, run.remarks) == (ExitCode.OK, "")


def test_command_refuses_namespaces_of_several_registries(ttag: Ttag, tmp_path: Path) -> None:
    (tmp_path / "ttag.toml").write_text('[namespaces]\nacme = "https://acme.example.org"\n')
    run = ttag("mirror", "copy", "--namespace", "micro", "acme", directory=tmp_path)
    assert run.code == ExitCode.USAGE
    assert "A mirror has one registry, but these namespaces belong to http" in run.err
