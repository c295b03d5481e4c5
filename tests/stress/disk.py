"""A small disk for the registry's files: a tmpfs in a mount namespace, which needs no privilege.

The program starts itself again inside the namespace. The tmpfs disappears with its last process.
"""

import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

FOLDER = "STRESS_DISK"  # set for the program inside the namespace
MEBIBYTE = 1024 * 1024
BASE_SIZE = 320  # MiB: PostgreSQL, its log and an empty registry
SIZE_PER_MINUTE = 12  # MiB; the clients write less
MOUNT = 'mount -t tmpfs -o size="$1m",mode=0711 none "$2" && shift 2 && exec "$@"'


@dataclass(frozen=True, slots=True)
class Disk:
    """A folder on a file system of its own, which can be filled."""

    folder: Path

    @property
    def _ballast(self) -> Path:
        return self.folder / "ballast"

    def fill(self) -> None:
        """Write a file until the disk is full."""
        with self._ballast.open("wb", buffering=0) as file:
            size = MEBIBYTE
            while size:
                try:
                    file.write(b"\1" * size)
                except OSError:
                    size //= 2

    def release(self) -> None:
        """Delete that file."""
        self._ballast.unlink(missing_ok=True)


def mounted_disk() -> Disk | None:
    """Return the disk of this program, or None outside a namespace."""
    folder = os.environ.get(FOLDER)
    return Disk(Path(folder)) if folder else None


def run_with_disk(arguments: list[str], minutes: float) -> int | None:
    """Run this program again with a disk of its own; return its status, or None if impossible."""
    size = str(round(BASE_SIZE + SIZE_PER_MINUTE * minutes))
    with tempfile.TemporaryDirectory(prefix="registry-stress-disk-") as name:
        Path(name).chmod(0o711)  # root runs PostgreSQL as another user
        unshare = namespace_command()
        probe = [*unshare, "sh", "-c", MOUNT, "sh", "1", name, *own_user(), "true"]
        try:
            if subprocess.run(probe, capture_output=True, check=False).returncode:
                return None
        except FileNotFoundError:
            return None
        program = [sys.executable, "-m", "tests.stress", *arguments]
        child = subprocess.Popen(
            [*unshare, "sh", "-c", MOUNT, "sh", size, name, *own_user(), *program],
            env={**os.environ, FOLDER: name},
        )
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the child gets Ctrl-C too; wait for it
        try:
            return child.wait()
        finally:
            if child.poll() is None:
                child.terminate()
                child.wait()


def namespace_command() -> list[str]:
    """Return the command that opens a mount namespace: root needs no user namespace."""
    as_root = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    return ["unshare", *as_root, "--mount", "--"]


def own_user() -> list[str]:
    """Return the command that turns root of a user namespace back into the present user."""
    if os.geteuid() == 0:
        return []
    return ["unshare", "--user", f"--map-user={os.geteuid()}", f"--map-group={os.getegid()}", "--"]
