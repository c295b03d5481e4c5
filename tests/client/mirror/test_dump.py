"""The registry's own mirror has the bytes that the client writes over the API."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.client.mirror.conftest import FORMATS
from tests.client.mirror.test_mirroring import files
from tests.databases import ROOT
from tests.patience import PATIENCE
from tests.serving import environment_of
from ttag import Registry
from ttag.mirror.mirroring import write_mirror


@pytest.mark.parametrize("formats", [(), FORMATS])
def test_registry_and_client_write_the_same_mirror(
    eventful_var: Path, eventful_registry: str, tmp_path: Path, formats: tuple[str, ...]
) -> None:
    dump, copy = tmp_path / "dump", tmp_path / "copy"
    command = ["manage.py", "write_mirror", str(dump), "--address", eventful_registry]
    options = ["--format", *formats] if formats else []
    subprocess.run(
        [sys.executable, *command, *options],
        cwd=ROOT,
        env=environment_of(eventful_var),
        check=True,
        capture_output=True,
        timeout=PATIENCE,
    )
    write_mirror(Registry(eventful_registry), copy, formats=formats)
    ours, theirs = files(dump), files(copy)
    for name in ("mirror.json", "SHA256SUMS"):
        assert without_time(ours.pop(name)) == without_time(theirs.pop(name))
    assert ours == theirs
    assert len(ours) > 10


def without_time(content: bytes) -> object:
    """Return the overview less its time, or the checksums less that of the overview."""
    if content.startswith(b"{"):
        return json.loads(content) | {"created": ""}
    return [line for line in content.splitlines() if b"mirror.json" not in line]
