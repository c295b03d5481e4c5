"""A mirror resolves as the registry that it was copied from."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.client.conftest import Ttag
from tests.client.mirror.conftest import FORMATS, web_server
from tests.client.scripted_server import ScriptedServer, response
from ttag import (
    ExportOptions,
    FileError,
    Mirror,
    NotLocked,
    NotMirrored,
    ReferenceInvalid,
    Refused,
    Registry,
    SettingsError,
    Tampered,
    TtagError,
    Unreachable,
)
from ttag.errors import ExitCode, errors_in
from ttag.http.cache import Cache
from ttag.mirror.layout import digest_path, index_path
from ttag.mirror.mirroring import write_mirror


def references(root: Path) -> list[str]:
    """Return references of every kind to every tag and alias of a mirror, some of them wrong."""
    texts = []
    for file in (root / "index").iterdir():
        index = json.loads(file.read_text())
        name = index.get("alias") or index["tag"]
        texts += [name, f"{name}@1", f"{name}@9"]
        for version in index.get("versions", ()):
            texts += [f"{name}@{version['version']}", f"{name}@{version['digest']}"]
    return sorted(texts)


def comparable(results: list[object]) -> list[object]:
    """Return results with the facts of errors, which do not compare by themselves."""
    return [
        (result.exit_code, getattr(result, "code", "REFERENCE_INVALID"), result.message)
        if isinstance(result, TtagError)
        else result
        for result in results
    ]


def test_every_reference_to_the_catalogue_resolves_as_in_the_registry(
    registry: str, folder: Path, mirror: Mirror
) -> None:
    texts = references(folder)
    results = mirror.resolve_many(texts)
    assert comparable([*results]) == comparable([*Registry(registry).resolve_many(texts)])
    assert len(texts) > 1000 > len(errors_in(results)) > 100


@pytest.mark.parametrize("form", FORMATS)
def test_every_tag_is_exported_as_by_the_registry(
    registry: str, folder: Path, mirror: Mirror, form: str
) -> None:
    tags = [text for text in references(folder) if "@" not in text]
    expected = Registry(registry).export_many(tags, form)
    results = mirror.export_many(tags, form)
    for tag, result, export in zip(tags, results, expected, strict=True):
        assert result == export or (
            isinstance(result, NotMirrored) and isinstance(export, Refused)
        ), tag
    assert len(errors_in(results)) < len(tags)


def test_yanks_deprecations_and_pinned_aliases_are_as_in_the_registry(
    eventful_registry: str, tmp_path: Path
) -> None:
    write_mirror(Registry(eventful_registry), tmp_path)
    texts = references(tmp_path)
    expected = Registry(eventful_registry).resolve_many(texts)
    results = Mirror.open(tmp_path.as_uri()).resolve_many(texts)
    assert comparable([*results]) == comparable([*expected])
    codes = {warning.code for each in expected for warning in getattr(each, "warnings", ())}
    assert codes == {"YANKED", "DEPRECATED", "PARENT_YANKED"}
    assert any(isinstance(each, TtagError) and "is an alias of" in str(each) for each in expected)


def test_error_for_an_unknown_version_suggests_others(mirror: Mirror) -> None:
    with pytest.raises(Refused, match=r"no version 9 of arm/soc that .*mean arm/soc@1\.0\.0\?"):
        mirror.resolve("arm/soc@9")


def test_web_server_serves_the_same(registry: str, folder: Path) -> None:
    texts = ["nvidia/a100", "arm/soc:aot", "aws/c4.4xlarge@1", "nvidia/geforce-gt-730-ddr3,128bit"]
    with web_server(folder) as address:
        served = Mirror.open(address)
        assert served.resolve_many(texts) == Registry(registry).resolve_many(texts)
        expected = Registry(registry).export_many(texts, "tvm")
        assert served.export_many(texts, "tvm") == expected


def test_page_of_404_means_that_there_is_no_such_tag(folder: Path) -> None:
    with web_server(folder) as address, pytest.raises(Refused, match="no tag arm/sco") as error:
        Mirror.open(address).resolve("arm/sco")
    assert error.value.code == "TAG_UNKNOWN"


def test_other_errors_of_a_web_server_are_no_answers(server: ScriptedServer) -> None:
    server.responses = [response(b"<html>", 403, "text/html")]
    with pytest.raises(Unreachable, match=r"The mirror 127.0.0.1:\d+ responded with status 403"):
        Mirror.open(f"mirror+{server.address}").resolve("arm/soc")


@pytest.mark.parametrize("page", [b"<html>Welcome</html>", b"{}", b"[]", b'{"version": 2}'])
def test_server_that_answers_everything_with_a_page_is_no_mirror(
    server: ScriptedServer, page: bytes
) -> None:
    server.responses = [response(page, 200, "text/html")]
    with pytest.raises(Unreachable, match="not a"):
        Mirror.open(f"mirror+{server.address}").resolve("arm/soc")


def test_registry_is_no_mirror(registry: str) -> None:
    with pytest.raises(Unreachable, match=r"is not a mirror: it has no mirror\.json"):
        Mirror.open(f"mirror+{registry}").resolve("arm/soc")


def test_folder_without_a_mirror_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(Unreachable, match=r"is not a mirror: it has no mirror\.json"):
        Mirror.open(tmp_path.as_uri()).resolve("arm/soc")


@pytest.mark.parametrize("address", ["https://example.org", "/srv/mirror", "ftp://example.org/x"])
def test_other_addresses_are_refused(address: str) -> None:
    with pytest.raises(SettingsError, match="is not the address of a mirror"):
        Mirror.open(address)


@pytest.fixture
def copied(folder: Path, tmp_path: Path) -> Path:
    """Return a copy of the mirror, to damage it."""
    return Path(shutil.copytree(folder, tmp_path / "copied"))


def test_changed_target_is_noticed(copied: Path, mirror: Mirror) -> None:
    digest = mirror.resolve("arm/soc").digest
    (copied / digest_path(digest)).write_bytes(b'{"kind":"llvm"}')
    with pytest.raises(Tampered, match="does not have its digest"):
        Mirror.open(copied.as_uri()).resolve("arm/soc")


def test_changed_target_on_a_web_server_is_not_kept_once_it_is_repaired(
    copied: Path, folder: Path, mirror: Mirror, tmp_path: Path
) -> None:
    path = digest_path(mirror.resolve("arm/soc").digest)
    (copied / path).write_bytes(b"{}")
    with web_server(copied) as address:
        served = Mirror.open(address, cache=Cache(tmp_path / "cache"))
        with pytest.raises(Tampered):
            served.resolve("arm/soc")
        shutil.copy(folder / path, copied / path)
        assert served.resolve("arm/soc") == mirror.resolve("arm/soc")


def test_missing_files_are_named(copied: Path, mirror: Mirror) -> None:
    path = digest_path(mirror.resolve("arm/soc").digest)
    (copied / path).unlink()
    (copied / "formats/clang/arm%2Fsoc%401.0.0").unlink()
    damaged = Mirror.open(copied.as_uri())
    with pytest.raises(Unreachable, match=f"is incomplete: it has no {path}"):
        damaged.resolve("arm/soc")
    with pytest.raises(Unreachable, match="it has no formats/clang/arm%2Fsoc%401"):
        damaged.export("arm/soc", "clang")


@pytest.mark.parametrize(
    "content",
    [
        "<html>",
        "[]",
        "{}",
        '{"tag": "arm/soc", "aliases": [], "versions": [{"version": "1"}]}',
        '{"tag": "arm/other", "aliases": [], "versions": []}',
        '{"alias": "arm/soc", "reference": "arm/soc"}',
        '{"alias": "arm/soc", "reference": 1}',
        "[" * 100_000,
    ],
)
def test_damaged_index_is_noticed(copied: Path, content: str) -> None:
    (copied / index_path("arm/soc")).write_text(content)
    with pytest.raises(Unreachable, match=r"arm%2Fsoc\.json is damaged"):
        Mirror.open(copied.as_uri()).resolve("arm/soc")


def test_digest_in_an_index_cannot_name_another_file(copied: Path) -> None:
    path = copied / index_path("arm/soc")
    index = json.loads(path.read_text())
    index["versions"][0]["digest"] = "sha256:../../mirror.json"
    path.write_text(json.dumps(index))
    with pytest.raises(Unreachable, match="is damaged"):
        Mirror.open(copied.as_uri()).resolve("arm/soc")


def test_unreadable_file_is_an_error(copied: Path) -> None:
    path = copied / index_path("arm/soc")
    path.unlink()
    path.mkdir()
    with pytest.raises(FileError, match="cannot be read"):
        Mirror.open(copied.as_uri()).resolve("arm/soc")


def test_what_only_a_registry_has_is_refused(mirror: Mirror) -> None:
    with pytest.raises(NotMirrored, match="ask a registry for the node /host of nvidia/jetson-n"):
        mirror.export("nvidia/jetson-nano@1", "clang", ExportOptions(node="/host"))
    with pytest.raises(NotMirrored, match="without recorded origins"):
        mirror.export("arm/soc", "tvm", ExportOptions(record=True))
    with pytest.raises(NotMirrored, match="in the format config; it holds json, target, clang"):
        mirror.export("arm/soc", "config")
    with pytest.raises(NotMirrored, match=r"does not hold the namespace nvdia.*mean nvidia"):
        mirror.resolve("nvdia/a100")
    with pytest.raises(NotMirrored, match=r"micro/aot@1.0.0 cannot be written in the format tvm"):
        mirror.export("micro/aot", "tvm")


def test_strict_export_refuses_to_drop(mirror: Mirror) -> None:
    with pytest.raises(Refused, match="would drop /executor and 3 more") as error:
        mirror.export("arm/soc:aot", "clang", ExportOptions(strict=True))
    assert error.value.code == "FORMAT_LOSSY"
    assert mirror.export("arm/soc", "tvm", ExportOptions(strict=True)).dropped == ()


def test_invalid_reference_is_refused(mirror: Mirror) -> None:
    with pytest.raises(ReferenceInvalid):
        mirror.resolve("arm/soc@latest")


def test_cached_files_are_used_without_a_network(folder: Path, tmp_path: Path) -> None:
    cache, warnings = Cache(tmp_path / "cache"), list[str]()
    with web_server(folder) as address:
        online = Mirror.open(address, cache=cache).resolve("arm/soc")
    offline = Mirror.open(address, cache=cache, offline=True)
    assert offline.resolve("arm/soc") == online
    with pytest.raises(NotLocked, match="offline"):
        offline.resolve("arm/soc:aot")
    away = Mirror.open(address, cache=cache, timeout=1, warn=warnings.append)
    cached, unknown = away.resolve_many(["arm/soc", "arm/soc:aot"])
    assert cached == online
    assert "The mirror is away, and index/arm%2Fsoc%3Aaot.json is not" in str(unknown)
    (warning,) = warnings
    assert "is used instead" in warning


def test_file_that_has_vanished_is_not_taken_from_the_cache(copied: Path, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    with web_server(copied) as address:
        Mirror.open(address, cache=cache).resolve("arm/soc")
        (copied / index_path("arm/soc")).unlink()
        with pytest.raises(Refused, match="There is no tag arm/soc"):
            Mirror.open(address, cache=cache).resolve("arm/soc")


def test_command_resolves_from_a_mirror(ttag: Ttag, folder: Path) -> None:
    from_registry = ttag("resolve", "aws/c4.4xlarge@1", "--format", "clang")
    mirrored = ttag(
        "resolve", "aws/c4.4xlarge@1", "--format", "clang", TTAG_REGISTRY=folder.as_uri()
    )
    assert (mirrored.code, mirrored.out) == (from_registry.code, from_registry.out)
    assert mirrored.remarks == from_registry.remarks
    assert mirrored.code == ExitCode.OK


def test_relative_address_starts_at_the_settings(ttag: Ttag, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "targets").symlink_to(folder)
    (tmp_path / "ttag.toml").write_text('[namespaces]\narm = "file:targets"\n')
    below = tmp_path / "below"
    below.mkdir()
    run = ttag("resolve", "arm/soc", directory=below)
    assert (run.code, run.remarks) == (ExitCode.OK, "")


def test_command_that_needs_a_registry_says_so(ttag: Ttag, folder: Path) -> None:
    run = ttag("search", "arm", TTAG_REGISTRY=folder.as_uri())
    assert run.code == ExitCode.USAGE
    assert "is a mirror, which only resolves: for this, set TTAG_REGISTRY" in run.err


def test_mirror_can_be_locked(ttag: Ttag, folder: Path) -> None:
    for arguments in (["lock", "arm/soc@1", "nvidia/a100"], ["sync"], ["check"]):
        run = ttag(*arguments, TTAG_REGISTRY=folder.as_uri())
        assert run.code == ExitCode.OK, run.err


def test_namespace_can_belong_to_a_mirror(ttag: Ttag, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "ttag.toml").write_text(f'[namespaces]\narm = "{folder.as_uri()}"\n')
    run = ttag("resolve", "arm/soc", "aws/c4.4xlarge", directory=tmp_path)
    assert (run.code, run.remarks) == (ExitCode.OK, "")
    run = ttag("resolve", "arm/soc", "--node", "/host", directory=tmp_path)
    assert (run.code, "has no node at '/host'" in run.err) == (ExitCode.REFUSED, True)


@pytest.mark.parametrize("is_served", [True, False])
def test_registry_at_the_address_of_a_mirror_resolves_from_it(
    folder: Path, is_served: bool
) -> None:
    texts = ["nvidia/a100", "arm/soc:aot", "aws/c4.4xlarge@1", "arm/sco"]
    with web_server(folder) as served:
        source = Registry(served if is_served else folder.as_uri())
        mirror = Mirror.open(source.address)
        assert source.resolve(texts[0]) == mirror.resolve(texts[0])
        assert source.export(texts[2], "clang") == mirror.export(texts[2], "clang")
        resolutions, exports = source.resolve_many(texts), source.export_many(texts, "tvm")
        assert comparable([*resolutions]) == comparable([*mirror.resolve_many(texts)])
        assert comparable([*exports]) == comparable([*mirror.export_many(texts, "tvm")])
        node = "nvidia/jetson-nano@1#/host"
        assert source.resolve(node) == mirror.resolve("nvidia/jetson-nano@1", node="/host")


CALLS: dict[str, Callable[[Registry], object]] = {
    "search": lambda source: source.search("arm"),
    "tag": lambda source: source.tag("arm/soc"),
    "describe": lambda source: source.describe("arm/soc"),
    "versions": lambda source: source.versions("arm/soc"),
    "diff": lambda source: source.diff("arm/soc@1", "arm/soc"),
    "explain": lambda source: source.explain("arm/soc"),
    "results": lambda source: list(source.results("/tags")),
    "check": lambda source: source.check("arm/soc", {}),
    "get": lambda source: source.get("/tags", cached=True),
}


@pytest.mark.parametrize("name", CALLS)
def test_what_needs_a_registry_says_so(folder: Path, name: str) -> None:
    with pytest.raises(SettingsError, match="is a mirror, which only resolves"):
        CALLS[name](Registry(folder.as_uri()))


@pytest.mark.parametrize(
    "address", ["", "/srv/mirror", "ftp://example.org", "https://me@x/", "file:"]
)
def test_registry_at_any_other_address_is_refused(address: str) -> None:
    with pytest.raises(SettingsError):
        Registry(address)
