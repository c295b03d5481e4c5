"""Files that are written whole or not at all."""

import errno
import os
from pathlib import Path
from threading import Event, Thread
from time import sleep

import pytest

from tests.patience import PATIENCE
from ttag import FileError
from ttag.files import exclusive, is_there, read_file, write_file

FULL = OSError(errno.ENOSPC, "No space left on device")


def test_file_is_replaced_and_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    path.chmod(0o640)
    write_file(path, b"new")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640


def test_new_file_has_the_permissions_of_the_user(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_file(tmp_path / "new" / "file", b"")
    finally:
        os.umask(before)
    assert (tmp_path / "new" / "file").stat().st_mode & 0o777 == 0o640


def test_link_stays_a_link(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "file")
    write_file(link, b"new")
    assert link.is_symlink()
    assert (tmp_path / "file").read_bytes() == b"new"


@pytest.mark.parametrize("step", ["os.fsync", "pathlib.Path.replace"])
def test_full_disk_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path = tmp_path / "file"
    path.write_text("old")

    def fail(*_: object) -> None:
        raise FULL

    monkeypatch.setattr(step, fail)
    with pytest.raises(FileError, match="file cannot be written: No space left on device"):
        write_file(path, b"new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_interrupt_leaves_no_part_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(handle: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_file(tmp_path / "file", b"new")
    assert list(tmp_path.iterdir()) == []


def test_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="below cannot be written"):
        write_file(tmp_path / "file" / "below", b"")


def test_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="none cannot be read: No such file or directory"):
        read_file(tmp_path / "none")


def test_second_holder_waits_for_the_first(tmp_path: Path) -> None:
    path = tmp_path / "targets.lock"
    started, order = Event(), []

    def second() -> None:
        started.set()
        with exclusive(path):
            order.append("second")

    thread = Thread(target=second)
    with exclusive(path):
        thread.start()
        started.wait()
        thread.join(timeout=0.2)
        order.append("first")
    thread.join(timeout=PATIENCE)
    assert order == ["first", "second"]


def test_lock_file_is_removed(tmp_path: Path) -> None:
    with exclusive(tmp_path / "targets.lock"):
        assert [path.name for path in tmp_path.iterdir()] == [".targets.lock.lock"]
    assert list(tmp_path.iterdir()) == []


def test_holders_that_remove_the_lock_file_exclude_each_other(tmp_path: Path) -> None:
    holders, most = 0, 0

    def hold() -> None:
        nonlocal holders, most
        for _ in range(20):
            with exclusive(tmp_path / "targets.lock"):
                holders += 1
                most = max(most, holders)
                sleep(0.0005)  # lets the others try
                holders -= 1

    threads = [Thread(target=hold) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=PATIENCE)
    assert most == 1
    assert list(tmp_path.iterdir()) == []


def test_lock_in_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError), exclusive(tmp_path / "file" / "targets.lock"):
        pass


def test_pipe_stays_a_pipe_and_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_file(pipe, b"text")
        assert os.read(reader, 100) == b"text"
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    assert [*tmp_path.iterdir()] == [pipe]


def test_parts_that_a_killed_process_has_left_are_removed(tmp_path: Path) -> None:
    path = tmp_path / "a[b]"
    others = [".a[b].0123456", ".a[b].0123456z", ".c.01234567", "a[b].01234567", ".ab.01234567"]
    for name in (".a[b].01234567", ".a[b].89abcdef", *others):
        (tmp_path / name).touch()
    with exclusive(path):
        write_file(path, b"new")
    assert {each.name for each in tmp_path.iterdir()} == {"a[b]", *others}


def test_something_is_there_or_not(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    (tmp_path / "file").touch()
    assert is_there(tmp_path / "link")
    assert is_there(tmp_path / "file")
    assert not is_there(tmp_path / "none")
    assert not is_there(tmp_path / "file" / "below")


def test_what_may_not_be_looked_at_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("pathlib.Path.lstat", refuse)
    with pytest.raises(FileError, match=r"targets\.lock cannot be read: Permission denied"):
        is_there(tmp_path / "targets.lock")
