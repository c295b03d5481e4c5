"""Files and folders that tests need, made once until what they are made from changes.

They are kept below REGISTRY_VAR, for all processes that run tests there.
"""

# Decision 122: what takes long and is the same in each process is made once.

import fcntl
import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).parent.parent
IN_USE = 3600  # seconds after its last use in which another session of tests may still read a file


def digest_of(paths: Iterable[Path]) -> str:
    """Return a digest of files, of their names, and of the Python that reads them."""
    digest = hashlib.sha256(sys.version.encode())
    for path in sorted(paths):
        digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def built_once(name: str, key: str, build: Callable[[Path], None]) -> Path:
    """Return the path of what `build` has made at the path that it is called with.

    It is called if no process has done so with this key. Then what has another key goes, unless
    somebody has asked for it within the last hour. If it fails, nothing is kept.
    """
    folder = Path(os.environ.get("REGISTRY_VAR") or ROOT / "var").absolute() / "test-files"
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / f"{name}-{key}"
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # held until the file is closed
        if not kept.exists():
            _remove_unused(folder.glob(f"{name}-*"))
            with tempfile.TemporaryDirectory(dir=folder) as scratch:
                build(Path(scratch) / name)
                (Path(scratch) / name).rename(kept)
        os.utime(kept)
    return kept


def _remove_unused(paths: Iterable[Path]) -> None:
    for path in paths:
        if time.time() - path.stat().st_mtime > IN_USE:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
