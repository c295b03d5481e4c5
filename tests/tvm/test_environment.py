"""The location of TVM's environment, and its atomic installation."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tvm import environment
from tests.tvm.environment import ROOT, VARIABLE, cache_folder, fingerprint, install, interpreter


def test_the_environment_is_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "target-tag-registry"
    assert list(cache_folder().iterdir()) == []


def test_without_xdg_cache_home_it_is_in_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "target-tag-registry"


def test_without_a_writable_cache_it_is_in_the_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    assert cache_folder() == tmp_path / ".venv-tvm"


def test_other_requirements_need_another_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = fingerprint()
    (tmp_path / "requirements.txt").write_text("numpy==1.0.0\n")
    monkeypatch.setattr(environment, "REQUIREMENTS", tmp_path / "requirements.txt")
    assert fingerprint() != before


def test_creation_leaves_only_the_finished_environment(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").touch()
    folder = tmp_path / "cache" / "tvm"
    folder.parent.mkdir()
    install(folder, tmp_path / "requirements.txt")
    program = [str(interpreter(folder)), "-c", "import sys; print(sys.prefix)"]
    prefix = subprocess.run(program, check=True, capture_output=True, text=True).stdout.strip()
    assert prefix == str(folder)
    assert list(folder.parent.iterdir()) == [folder]


def test_an_environment_created_concurrently_is_kept(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").touch()
    folder = tmp_path / "cache" / "tvm"
    folder.mkdir(parents=True)
    (folder / "theirs").touch()
    install(folder, tmp_path / "requirements.txt")
    assert list(folder.parent.rglob("*")) == [folder, folder / "theirs"]


def test_a_failed_installation_leaves_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "tvm"
    folder.parent.mkdir()
    with pytest.raises(subprocess.CalledProcessError):
        install(folder, tmp_path / "no-requirements.txt")
    assert list(folder.parent.iterdir()) == []


def run(venv: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.tvm.environment", *command],
        cwd=ROOT,
        env={**os.environ, "TVM_VENV": str(venv)},
        check=False,
        capture_output=True,
        text=True,
    )


def test_the_command_gets_the_interpreter_of_the_named_environment() -> None:
    venv = Path(sys.prefix)
    done = run(venv, "--", "sh", "-c", f"echo ${VARIABLE}; exit 7")
    assert done.returncode == 7
    assert done.stdout.splitlines() == [f"TVM: the environment is {venv}", f"{venv}/bin/python"]


@pytest.mark.parametrize("command", [(), ("--",), ("sh",)])
def test_without_a_command_the_usage_is_printed(command: tuple[str, ...]) -> None:
    done = run(Path(sys.prefix), *command)
    assert done.returncode != 0
    assert done.stderr.startswith("usage: ")


def test_a_folder_without_an_interpreter_is_rejected(tmp_path: Path) -> None:
    done = run(tmp_path, "--", "true")
    assert done.returncode != 0
    assert done.stderr == f"TVM_VENV={tmp_path} is not an environment: it has no bin/python.\n"
