"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from secrets import token_hex

from ttag.errors import FileError

TOKEN_BYTES = 4  # of the name of a file that is not whole yet
NEW_FILE = 0o666  # less what the user's umask takes away
NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)  # not on Windows, as the next
NON_BLOCKING = getattr(os, "O_NONBLOCK", 0)


def write_file(path: Path, data: bytes, *, is_durable: bool = True) -> None:
    """Write a file, or replace it, in one step. Raises `FileError`; the old file then remains.

    A symbolic link stays one: what it points to is replaced. A device or a pipe stays one too, and
    is written to. What is not durable is on the disk only after `flush_to_disk`.
    """
    target = Path(os.path.realpath(path))
    if _is_special(path):
        try:
            path.write_bytes(data)
        except OSError as error:
            raise _cannot_write(path, error) from error
        return
    temporary = target.with_name(f".{target.name}.{token_hex(TOKEN_BYTES)}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("xb") as file:
            file.write(data)
            if is_durable:
                file.flush()
                os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        temporary.replace(target)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink()
        if isinstance(error, OSError):
            raise _cannot_write(path, error) from error
        raise


def is_there(path: Path) -> bool:
    """Return whether a path has something: a link to nowhere, too, whose reading then fails.

    Raises `FileError` if that is unknown, as below a folder that this user may not search.
    """
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}.") from error
    return True


def _is_special(path: Path) -> bool:
    """Return whether there is something that is neither a file nor a folder."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def flush_to_disk() -> None:
    """Wait until everything that was written is on the disk, on systems that offer it."""
    if hasattr(os, "sync"):
        os.sync()


def read_file(path: Path) -> bytes:
    """Return the content of a file. Raises `FileError`."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}.") from error


def read_regular_file(root: Path, path: str, max_size: int) -> bytes:
    """Return the content of a file below a folder, which may be a link itself.

    Raises `FileError` if a folder or the file is a symbolic link, if it is no regular file, or if
    it is larger than `max_size` bytes; and `OSError` if it cannot be read.
    """
    file = root
    for name in path.split("/"):
        file /= name
        if stat.S_ISLNK(os.lstat(file).st_mode):
            raise FileError(f"{file} is a symbolic link: expected a file or folder of its own.")
    with open(file, "rb", opener=_open_at_once) as opened:
        if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
            raise FileError(f"{file} is not a regular file.")
        data = opened.read(max_size + 1)
    if len(data) > max_size:
        raise FileError(f"{file} has more than {max_size} bytes.")
    return data


def _open_at_once(path: str, flags: int) -> int:
    """Open a file; a pipe too, for which one would wait until somebody writes to it."""
    return os.open(path, flags | NO_FOLLOW | NON_BLOCKING)


@contextmanager
def exclusive(path: Path, *, waits: bool = True) -> Iterator[None]:
    """Hold a lock beside a file, so that two processes do not change it at once.

    The second one waits, or else is refused. The lock file is removed afterwards, because the
    folder is usually under version control; so are parts of the file that a killed process has
    left. Raises `FileError`, also if the folder cannot be written.
    """
    beside = path.with_name(f".{path.name}.lock")
    try:
        beside.parent.mkdir(parents=True, exist_ok=True)
        handle = _lock_file(beside, waits=waits)
    except BlockingIOError:
        raise FileError(f"Another process is writing {path}.") from None
    except OSError as error:
        raise _cannot_write(path, error) from error
    try:
        remove_leftovers(path)
        yield
    finally:
        with suppress(OSError):  # Windows keeps a file that is open
            beside.unlink()
        os.close(handle)


def remove_leftovers(path: Path) -> None:
    """Remove what processes have left that were killed while they wrote a file.

    Nobody else may be writing it.
    """
    for leftover in path.parent.glob(f".{escape(path.name)}.{'[0-9a-f]' * 2 * TOKEN_BYTES}"):
        with suppress(OSError):
            leftover.unlink()


def _lock_file(path: Path, *, waits: bool) -> int:
    """Create and lock a file, and return its handle."""
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, NEW_FILE)
        try:
            _take_lock(handle, waits=waits)
        except OSError:
            os.close(handle)
            raise
        # While this process waited, the other one has removed the file that it held.
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(handle), path.stat()):
                return handle
        os.close(handle)


def _take_lock(handle: int, *, waits: bool) -> None:
    try:
        import fcntl  # noqa: PLC0415 - not on Windows
    except ImportError:
        import msvcrt  # noqa: PLC0415 - on Windows only

        msvcrt.locking(handle, msvcrt.LK_LOCK, 1)  # type: ignore[attr-defined]
    else:
        fcntl.flock(handle, fcntl.LOCK_EX if waits else fcntl.LOCK_EX | fcntl.LOCK_NB)


def _cannot_write(path: Path, error: OSError) -> FileError:
    return FileError(f"{path} cannot be written: {error.strerror}.")
