"""The registry as a mirror: plain files, from one snapshot."""

import json
import os
import shutil
import stat
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django.fixtures import Settings

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag as TagName
from registry.models import Name, Tag, User, Version
from registry.services.catalogue import coverage
from registry.services.core.permissions import Actor
from registry.services.event_log.appending import last_event_number
from registry.services.operations import mirroring, redaction
from registry.services.tags import aliases, deprecation
from registry.services.versions import families, resolving
from tests.log_proofs import Log
from tests.publishing import WITHOUT_LINTS, chain, publish, yank
from tests.services.operations.long_log import lengthen_log
from ttag.mirror.layout import digest_path, format_path, index_path
from ttag.mirror.writer import Summary, Writer

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]
ADDRESS = "https://registry.example.org"
SECRET = "s3cr3t-board"


@pytest.fixture(autouse=True)
def unflushed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait for the disk, on which other tests write: no test survives a power failure."""
    monkeypatch.setattr("ttag.mirror.writer.flush_to_disk", lambda: None)


def write(root: Path, *formats: str, is_full: bool = False) -> Summary:
    forms = mirroring.writable_formats()
    chosen = [forms[name] for name in formats]
    return mirroring.write_mirror(root, address=ADDRESS, forms=chosen, is_full=is_full)


def read(root: Path, path: str) -> Any:
    return json.loads((root / path).read_bytes())


def files(root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}


def test_overview_says_what_the_mirror_holds(tmp_path: Path) -> None:
    summary = write(tmp_path, "tvm", "clang")
    overview = read(tmp_path, "mirror.json")
    assert (overview["version"], overview["registry"]) == (1, ADDRESS)
    assert overview["formats"] == ["clang", "tvm"]
    assert {"acme", "arm"} <= {*overview["namespaces"]}
    assert overview["event"] == last_event_number()
    assert (summary.tags, summary.versions) == (Tag.objects.count(), Version.objects.count())
    assert summary.aliases == Name.objects.filter(is_alias=True).count()
    assert summary.written == len(
        [path for path in files(tmp_path) if not path.startswith(("checksums/", "SHA256SUMS"))]
    )
    assert overview["counts"] == {
        "tags": summary.tags,
        "versions": summary.versions,
        "aliases": summary.aliases,
    }


def test_overview_names_the_sources_of_the_facts(tmp_path: Path) -> None:
    write(tmp_path)
    notices = {
        notice["source"]: notice["licences"] for notice in read(tmp_path, "mirror.json")["notices"]
    }
    assert notices["SpareCores/sc-inspector-data"] == ["CC-BY-SA-4.0"]
    assert notices.keys() == {source.repository for source in coverage.sources()}


def test_every_target_is_a_file_with_the_digested_bytes(tmp_path: Path) -> None:
    write(tmp_path)
    for digest in Version.objects.values_list("digest", flat=True):
        assert f"sha256:{sha256((tmp_path / digest_path(digest)).read_bytes()).hexdigest()}" == (
            digest
        )


def test_index_has_the_members_of_a_resolution(tmp_path: Path) -> None:
    write(tmp_path, "clang")
    index = read(tmp_path, index_path("arm/soc:aot"))
    resolved = resolving.resolve(Reference.parse("arm/soc:aot"))
    (version,) = index["versions"]
    assert index["aliases"] == ["arm/soc-name:aot"]
    assert version["digest"] == resolved.digest
    assert version["build_key"] == resolved.build_key
    assert version["tuning_keys"] == json.loads(resolved.tuning_keys)
    assert version["lineage"] == ["arm/soc@1.0.0", "micro/aot@1.0.0"]
    assert version["formats"] == {"clang": ["/executor", "/keys", "/model", "/runtime"]}
    text = (tmp_path / format_path("clang", "arm/soc:aot@1.0.0")).read_text()
    assert text.endswith("-mcpu=cortex-m7\n")


def test_format_that_cannot_express_a_target_is_absent(tmp_path: Path) -> None:
    write(tmp_path, "clang")
    (version,) = read(tmp_path, index_path("micro/aot"))["versions"]
    assert version["formats"] == {}
    assert not (tmp_path / format_path("clang", "micro/aot@1.0.0")).exists()


def test_versions_have_their_reasons_highest_number_first(tmp_path: Path, alice: User) -> None:
    publish("acme/board", WITHOUT_LINTS)
    publish("acme/board", {**WITHOUT_LINTS, "num-cores": 8})
    publish("acme/child", {"tag": "acme/board@2", "model": "x"})
    yank("acme/board@2.0.0", "counted threads")
    actor = Actor.operator(alice)
    successor = TagName.parse("arm/soc")
    child = TagName.parse("acme/child")
    deprecation.deprecate(child, reason="renamed", successor=successor, actor=actor)
    write(tmp_path)
    newer, older = read(tmp_path, index_path("acme/board"))["versions"]
    assert [newer["version"], older["version"]] == ["2.0.0", "1.0.0"]
    assert [newer["status"], older["status"]] == ["yanked", "active"]
    message = "acme/board@2.0.0 was yanked: counted threads"
    assert newer["warnings"] == [{"code": "YANKED", "message": message}]
    (version,) = read(tmp_path, index_path("acme/child"))["versions"]
    assert version["status"] == "deprecated"
    deprecated, parent = version["warnings"]
    assert deprecated["successor"] == "arm/soc"
    assert parent["code"] == "PARENT_YANKED"


def test_family_of_accelerated_machines_has_its_warning(tmp_path: Path, alice: User) -> None:
    publish("acme/g5", WITHOUT_LINTS)
    publish("acme/g5.large", WITHOUT_LINTS | {"num-cores": 2})
    publish("acme/g5:gpu", {"kind": "cuda", "arch": "sm_86"})
    for name in ("acme/g5", "acme/g5.large", "acme/g5:gpu"):
        families.set_family(TagName.parse(name), is_family=True, actor=Actor.operator(alice))
    write(tmp_path)
    (version,) = read(tmp_path, index_path("acme/g5"))["versions"]
    (warning,) = resolving.resolve(Reference.parse("acme/g5")).warnings
    assert version["warnings"] == [{"code": "FAMILY", "message": warning.message}]
    (other,) = read(tmp_path, index_path("acme/g5.large"))["versions"]
    assert other["warnings"] == []


def test_alias_names_its_reference(tmp_path: Path, alice: User) -> None:
    publish("acme/board", WITHOUT_LINTS)
    target = Reference.parse("acme/board@1")
    aliases.point_alias("acme/Board", target, actor=Actor.operator(alice))
    write(tmp_path)
    expected = {"alias": "acme/Board", "reference": "acme/board@1"}
    assert read(tmp_path, "index/acme%2F%42oard.json") == expected


def test_second_run_writes_only_what_has_changed(tmp_path: Path) -> None:
    write(tmp_path, "tvm")
    before = files(tmp_path)
    publish("acme/board", WITHOUT_LINTS)
    summary = write(tmp_path, "tvm")
    gone = before - files(tmp_path)
    assert summary.removed == len(gone)
    of_targets = [path for path in gone if not path.startswith("checksums/")]
    assert len(of_targets) == len(["the last tile", "the last bundle"])
    of_log = ["the last tile", "the last bundle", "the checkpoint"]
    assert summary.written == len(["the target", "its text", "its index", "the overview", *of_log])


def test_mirror_proves_every_version_that_it_holds(tmp_path: Path, alice: User) -> None:
    chain(2)
    lengthen_log(alice)
    write(tmp_path)
    log = Log.open(lambda path: (tmp_path / "log" / path).read_bytes())
    assert log.size == read(tmp_path, "mirror.json")["event"] == last_event_number()
    for name in ("acme/link-1", "arm/soc"):
        for version in read(tmp_path, index_path(name))["versions"]:
            leaf = log.event(version["event"])
            assert (leaf["tag"], leaf["version"]) == (name, version["version"])
            assert leaf["digest"] == version["digest"]


def test_older_log_is_extended(tmp_path: Path, alice: User) -> None:
    lengthen_log(alice)
    write(tmp_path)
    log = Log.open(lambda path: (tmp_path / "log" / path).read_bytes())
    chain(3)
    write(tmp_path)
    later = Log.open(lambda path: (tmp_path / "log" / path).read_bytes())
    assert later.size > log.size
    assert later.extends(log)
    partial = {path for path in files(tmp_path) if ".p/" in path and "tile/0/" in path}
    assert len(partial) <= 1, "older partial tiles are removed"


def test_log_that_cannot_be_signed_is_not_mirrored(tmp_path: Path, settings: Settings) -> None:
    settings.LOG_KEYS, settings.LOG_KEY_FILE = [], None
    with pytest.raises(Refused, match="the event log has no key") as refused:
        write(tmp_path)
    assert refused.value.code is Code.LOG_UNAVAILABLE
    assert not files(tmp_path)


def test_redacted_target_is_removed(tmp_path: Path, alice: User) -> None:
    publish("acme/board", {**WITHOUT_LINTS, "model": SECRET})
    digest = Version.objects.get(tag__text="acme/board").digest
    write(tmp_path, "tvm")
    connection.check_constraints()  # deferred, as all is one transaction
    redaction.redact(SECRET, reason="leaked", actor=Actor.operator(alice))
    write(tmp_path, "tvm")
    assert not (tmp_path / digest_path(digest)).exists()
    assert all(SECRET.encode() not in (tmp_path / path).read_bytes() for path in files(tmp_path))
    (version,) = read(tmp_path, index_path("acme/board"))["versions"]
    assert version["status"] == "yanked"


def test_number_of_queries_grows_by_one_for_each_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mirroring, "BATCH_SIZE", 1000)
    chain(2)
    write(tmp_path, "tvm")  # loads the kinds

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            write(tmp_path, "tvm", "clang", "cmake", is_full=True)
        return len(captured)

    few = queries()
    assert few <= 24
    chain(8, namespace="arm")
    write(tmp_path)  # looks up the checkpoint that was kept
    assert queries() == few
    monkeypatch.setattr(mirroring, "BATCH_SIZE", 100)
    assert queries() == few + (Version.objects.count() - 1) // 100


def test_checksums_cover_every_other_file(tmp_path: Path) -> None:
    write(tmp_path, "clang")
    parts = [tmp_path / "SHA256SUMS", *(tmp_path / "checksums").iterdir()]
    lines = [line for part in parts for line in part.read_text().splitlines()]
    listed = {path: digest for digest, path in (line.split("  ", 1) for line in lines)}
    assert listed.keys() == files(tmp_path) - {"SHA256SUMS"}
    for path, digest in listed.items():
        assert sha256((tmp_path / path).read_bytes()).hexdigest() == digest


def test_interrupted_run_leaves_the_older_mirror(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path)
    before = (tmp_path / "SHA256SUMS").read_bytes()
    publish("acme/board", WITHOUT_LINTS)

    def interrupt(_step: str, _done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mirroring.write_mirror(tmp_path, address=ADDRESS, is_full=True, report=interrupt)
    assert (tmp_path / "SHA256SUMS").read_bytes() == before
    assert not (tmp_path / index_path("acme/board")).exists()
    whole = files(tmp_path)
    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(Refused, match="cannot be written: No space left on device"):
        write(tmp_path)
    assert files(tmp_path) == whole


def fail(_path: Path, _target: Path) -> None:
    raise OSError(28, "No space left on device")


def test_partial_files_of_a_killed_run_are_removed(tmp_path: Path) -> None:
    write(tmp_path)
    partial = tmp_path / "index" / ".x.json.partial"
    partial.touch()
    assert write(tmp_path, is_full=True).removed == 1
    assert not partial.exists()


def test_events_are_applied_with_few_queries(tmp_path: Path) -> None:
    chain(2)
    write(tmp_path, "tvm")
    publish("acme/board", WITHOUT_LINTS)
    yank("acme/link-0@1.0.0")
    with CaptureQueriesContext(connection) as captured:
        assert not write(tmp_path, "tvm").reason
    assert len(captured) <= 41


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("mirror.json", "mirror.json is changed"),
        ("index/acme%2Fboard.json", "index/acme%2Fboard.json is changed"),
        ("log/checkpoint", "log/checkpoint is changed"),
        ("SHA256SUMS", "SHA256SUMS is damaged"),
        (".unfinished", "the last run was interrupted"),
    ],
)
def test_mirror_that_is_not_as_it_was_written_is_read_again(
    tmp_path: Path, path: str, reason: str
) -> None:
    publish("acme/board", WITHOUT_LINTS)
    write(tmp_path)
    expected = (tmp_path / index_path("acme/board")).read_bytes()
    (tmp_path / path).write_text("{}")
    yank("acme/board@1.0.0")
    assert reason in write(tmp_path).reason
    assert not write(tmp_path).reason
    restored = (tmp_path / index_path("acme/board")).read_bytes()
    assert restored != expected
    assert b'"yanked"' in restored


@pytest.mark.parametrize("is_missing", ["checksums", "index/acme%2Fboard.json", "log"])
def test_mirror_that_lacks_files_claims_no_position(tmp_path: Path, is_missing: str) -> None:
    publish("acme/board", WITHOUT_LINTS)
    write(tmp_path)
    before = files(tmp_path)
    gone = tmp_path / is_missing
    shutil.rmtree(gone) if gone.is_dir() else gone.unlink()
    publish("acme/board", {**WITHOUT_LINTS, "num-cores": 8})
    assert "is missing" in write(tmp_path).reason
    assert {path for path in before if path.startswith("index/")} <= files(tmp_path)


def test_mirror_of_an_older_release_is_read_again(tmp_path: Path) -> None:
    write(tmp_path)
    overview = read(tmp_path, "mirror.json") | {"release": "0.1.0"}
    text = json.dumps(overview).encode()
    (tmp_path / "mirror.json").write_bytes(text)
    sums = (tmp_path / "SHA256SUMS").read_text().splitlines()
    kept = [line for line in sums if not line.endswith("  mirror.json")]
    kept.append(f"{sha256(text).hexdigest()}  mirror.json")
    (tmp_path / "SHA256SUMS").write_text("\n".join(kept) + "\n")
    assert write(tmp_path).reason == "another release has written it"
    (tmp_path / "SHA256SUMS").write_text(f"{sha256(text).hexdigest()}  index/x.json\n")
    assert write(tmp_path).reason == "its checksums are those of an older release"


def test_web_servers_can_read_the_files(tmp_path: Path) -> None:
    old = os.umask(0o022)
    try:
        write(tmp_path)
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "mirror.json").stat().st_mode) == 0o644
    assert stat.S_IMODE((tmp_path / "index").stat().st_mode) == 0o755


def test_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "registry.sqlite3").touch()
    with pytest.raises(Refused, match="which is not part of a mirror") as refused:
        write(tmp_path)
    assert refused.value.code == Code.CONFLICT
    assert files(tmp_path) == {"registry.sqlite3"}


def test_second_writer_is_refused(tmp_path: Path) -> None:
    with (
        Writer.open(tmp_path),
        pytest.raises(Refused, match=r"Another process is writing .*/mirror\.json\."),
    ):
        write(tmp_path)


def test_unwritable_folder_is_an_error_of_the_command(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CommandError, match="file/mirror cannot be read: Not a directory"):
        call_command("write_mirror", str(tmp_path / "file" / "mirror"), address=ADDRESS)


def test_command_says_what_it_has_written(tmp_path: Path) -> None:
    out = StringIO()
    options = {"address": f"{ADDRESS}/", "formats": ["tvm", "clang"]}
    call_command("write_mirror", str(tmp_path), stdout=out, **options)
    versions = Version.objects.count()
    assert f"tags with {versions} versions and " in out.getvalue()
    assert read(tmp_path, "mirror.json")["registry"] == ADDRESS
