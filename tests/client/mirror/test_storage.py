"""A mirror in a folder is files of its own: nothing leads out of it, and reading always ends."""

import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from ttag import FileError, Mirror, Registry, SettingsError
from ttag.canonical_json import digest_of
from ttag.errors import ExitCode
from ttag.mirror.layout import digest_path, format_path, index_path
from ttag.mirror.mirroring import write_mirror
from ttag.mirror.storage import Folder
from ttag.mirror.writer import Writer

INDEX = index_path("arm/soc")
TEXT = format_path("clang", "arm/soc@1.0.0")


@pytest.fixture
def copied(folder: Path, tmp_path: Path) -> Path:
    """Return a copy of what arm/soc needs of the mirror, to damage it."""
    root = tmp_path / "copied"
    digest = digest_path(Mirror.open(folder.as_uri()).resolve("arm/soc").digest)
    for path in ("mirror.json", INDEX, TEXT, digest):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / path, root / path)
    return root


def read_all(root: Path) -> str:
    mirror = Mirror.open(root.as_uri())
    return mirror.resolve("arm/soc").text + mirror.export("arm/soc", "clang").text


def test_files_and_folders_of_its_own_are_read(copied: Path) -> None:
    assert "mcpu" in read_all(copied)


def test_mirror_itself_may_be_a_link(copied: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(copied)
    assert read_all(tmp_path / "link") == read_all(copied)


@pytest.mark.parametrize(
    "path", ["mirror.json", "index", INDEX, "digests", "digests/sha256", "formats/clang", TEXT]
)
def test_symbolic_link_is_refused(copied: Path, tmp_path: Path, path: str) -> None:
    """Even to the same content: somebody else may change it."""
    elsewhere = tmp_path / "elsewhere"
    (copied / path).rename(elsewhere)
    (copied / path).symlink_to(elsewhere)
    with pytest.raises(FileError, match="is a symbolic link") as error:
        read_all(copied)
    assert str(copied / path) in str(error.value)
    assert error.value.exit_code == ExitCode.FILE


def test_link_to_nothing_is_refused_too(copied: Path) -> None:
    (copied / INDEX).unlink()
    (copied / INDEX).symlink_to("nowhere")
    with pytest.raises(FileError, match="is a symbolic link"):
        read_all(copied)


def listen(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (os.mkfifo, "is not a regular file"),
        (listen, "cannot be read"),
        (Path.mkdir, "cannot be read"),
    ],
)
def test_special_file_is_refused_without_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], None], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)  # the name of a socket is short
    make(Path("mirror.json"))
    with pytest.raises(FileError, match=sentence):
        Folder(tmp_path).read("mirror.json")


def test_device_is_refused() -> None:
    with pytest.raises(FileError, match="is not a regular file"):
        Folder(Path("/dev")).read("zero")


def test_file_of_any_size_takes_little_memory(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("ttag.mirror.storage.MAX_RESPONSE", 10)
    (tmp_path / "file").write_bytes(b"x" * 10)
    assert Folder(tmp_path).read("file") == b"x" * 10
    with (tmp_path / "file").open("r+b") as file:
        file.truncate(10**12)  # sparse
    with pytest.raises(FileError, match="has more than 10 bytes"):
        Folder(tmp_path).read("file")


@pytest.mark.parametrize("path", ["missing", "missing/file", "file/below"])
def test_missing_file_is_none(tmp_path: Path, path: str) -> None:
    (tmp_path / "file").touch()
    assert Folder(tmp_path).read(path) is None


@pytest.mark.parametrize("name", ["index", "digests", "formats", "mirror.json", "SHA256SUMS"])
def test_mirror_is_not_written_through_a_link(tmp_path: Path, name: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    root = tmp_path / "mirror"
    root.mkdir()
    (root / name).symlink_to(elsewhere)
    with pytest.raises(SettingsError, match="is a symbolic link"), Writer.open(root):
        pass


def test_link_in_the_place_of_a_file_is_replaced(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    root = tmp_path / "mirror"
    (root / "index").mkdir(parents=True)
    (root / "index/x.json").symlink_to(victim)
    Writer(root).put("index/x.json", b"new")
    assert (victim.read_text(), (root / "index/x.json").is_symlink()) == ("mine", False)
    assert (root / "index/x.json").read_bytes() == b"new"


def test_older_mirror_with_a_link_is_written_anew(registry: str, tmp_path: Path) -> None:
    write_mirror(Registry(registry), tmp_path / "mirror", namespaces=["micro"])
    (index, *_) = sorted((tmp_path / "mirror/index").iterdir())
    index.rename(tmp_path / "elsewhere")
    index.symlink_to(tmp_path / "elsewhere")
    write_mirror(Registry(registry), tmp_path / "mirror", namespaces=["micro"], is_full=True)
    assert not index.is_symlink()
    assert digest_of(index.read_bytes()) == digest_of((tmp_path / "elsewhere").read_bytes())
