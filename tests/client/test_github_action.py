"""The GitHub action: each of its scripts is run as a runner does."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.databases import ROOT

ACTION = yaml.safe_load((ROOT / "client" / "action.yml").read_text())
WORKFLOW = yaml.safe_load((ROOT / "examples" / "github-actions" / "build.yml").read_text())
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
INPUT = re.compile(r"\$\{\{ inputs\.([a-z-]+) \}\}")


class Runner:
    """Runs the steps of the action in a folder, with inputs, as GitHub's runner does."""

    def __init__(self, folder: Path, inputs: Mapping[str, str]) -> None:
        defaults = {name: each.get("default", "") for name, each in ACTION["inputs"].items()}
        self.inputs = {**defaults, **inputs}
        self.project = folder / "project"
        self.project.mkdir()
        self.files = {
            name: folder / name for name in ("GITHUB_PATH", "GITHUB_ENV", "GITHUB_OUTPUT")
        }
        for file in self.files.values():
            file.touch()
        (folder / "temp").mkdir()
        self.environment = {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(folder),
            "RUNNER_TEMP": str(folder / "temp"),
            "GITHUB_ACTION_PATH": str(ROOT / "client"),
            **{name: str(file) for name, file in self.files.items()},
        }

    def run(self) -> subprocess.CompletedProcess[str]:
        """Run all steps until one fails, and return the last."""
        done: subprocess.CompletedProcess[str] | None = None
        for step in STEPS:
            if "run" in step and self._is_wanted(step):
                done = self._run(step)
                if done.returncode:
                    break
        assert done is not None
        return done

    def outputs(self) -> dict[str, str]:
        lines = self.files["GITHUB_OUTPUT"].read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)

    def _is_wanted(self, step: dict[str, Any]) -> bool:
        assert step.get("if") in {None, "inputs.check == 'true'"}
        return "if" not in step or self.inputs["check"] == "true"

    def _run(self, step: dict[str, Any]) -> subprocess.CompletedProcess[str]:
        added = dict(
            line.split("=", 1) for line in self.files["GITHUB_ENV"].read_text().splitlines()
        )
        folders = self.files["GITHUB_PATH"].read_text().splitlines()
        stated = {name: self._filled(value) for name, value in step.get("env", {}).items()}
        environment = {**self.environment, **added, **stated}
        environment["PATH"] = ":".join([*folders, environment["PATH"]])
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.project / self._filled(step.get("working-directory", ".")),
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def _filled(self, text: str) -> str:
        return INPUT.sub(lambda match: self.inputs[match[1]], text)


def test_action_resolves_a_tag(registry: str, tmp_path: Path) -> None:
    inputs = {"reference": "aws/c4.4xlarge@1", "format": "clang", "check": "false"}
    runner = Runner(tmp_path, {**inputs, "registry": registry})
    done = runner.run()
    assert done.returncode == 0, done.stderr
    outputs = runner.outputs()
    assert outputs.keys() == ACTION["outputs"].keys()
    assert "-march=haswell" in Path(outputs["file"]).read_text()
    assert outputs["reference"] == "aws/c4.4xlarge@1.1.0"
    assert outputs["digest"].startswith("sha256:")
    assert outputs["build-key"].startswith("bk1:")


def test_node_and_file_are_chosen(registry: str, tmp_path: Path) -> None:
    inputs = {"reference": "nvidia/jetson-nano:cuda", "node": "/host", "output": "host.json"}
    runner = Runner(tmp_path, {**inputs, "registry": registry, "check": "false"})
    assert runner.run().returncode == 0
    assert '"kind":"llvm"' in (runner.project / "host.json").read_text()


@pytest.mark.parametrize(("moves", "code"), [(False, 0), (True, 1)])
def test_outputs_are_of_the_target_that_was_written(tmp_path: Path, moves: bool, code: int) -> None:
    package = tmp_path / 'a "folder" of $HOME' / "ttag"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(
        "import json, pathlib, sys\n"
        "calls = pathlib.Path('calls')\n"
        "calls.write_text(calls.read_text() + '.' if calls.exists() else '.')\n"
        f"version = f'1.{{len(calls.read_text())}}.0' if {moves} else '1.0.0'\n"
        "resolution = {'tag': 'a/b', 'version': version, 'digest': 'd', 'build_key': None}\n"
        "if '--format=json' in sys.argv: print(json.dumps(resolution))\n"
    )
    runner = Runner(tmp_path, {"reference": "a/b", "check": "false"})
    runner.environment["GITHUB_ACTION_PATH"] = str(package.parent)
    done = runner.run()
    assert done.returncode == code, done.stderr
    assert ("a/b has moved while it was resolved" in done.stderr) == moves
    assert bool(runner.outputs()) == (not moves)


def test_lock_is_checked_first(registry: str, tmp_path: Path) -> None:
    runner = Runner(tmp_path, {"reference": "arm/soc", "registry": registry})
    done = runner.run()
    assert done.returncode != 0
    assert "There is no targets.lock" in done.stdout
    assert runner.outputs() == {}


def test_checked_lock_resolves(registry: str, tmp_path: Path) -> None:
    runner = Runner(tmp_path, {"reference": "arm/soc@1", "registry": registry})
    subprocess.run(
        [sys.executable, "-m", "ttag", "lock", "arm/soc@1"],
        cwd=runner.project,
        env={
            **runner.environment,
            "PYTHONPATH": str(ROOT / "client"),
            "TTAG_REGISTRY": registry,
        },
        check=True,
    )
    done = runner.run()
    assert done.returncode == 0, done.stderr
    assert runner.outputs()["reference"] == "arm/soc@1.0.0"


@pytest.mark.parametrize("name", ["reference", "format", "node", "output"])
def test_input_is_never_run_as_a_command(registry: str, tmp_path: Path, name: str) -> None:
    hostile = '$(touch pwned) `touch pwned`"; touch pwned; echo "\ndigest=forged'
    inputs = {"reference": "arm/soc", "registry": registry, "check": "false"}
    runner = Runner(tmp_path, {**inputs, name: hostile})
    runner.run()
    assert "pwned" not in {path.name for path in tmp_path.rglob("*")}
    assert runner.outputs().get("digest") != "forged"


def test_no_script_holds_an_expression() -> None:
    scripts = [
        step["run"] for step in [*STEPS, *WORKFLOW["jobs"]["build"]["steps"]] if "run" in step
    ]
    assert len(scripts) == 4
    assert not [script for script in scripts if "${{" in script]


def test_every_input_is_used_and_documented() -> None:
    used = set(INPUT.findall((ROOT / "client" / "action.yml").read_text())) | {"check"}
    readme = (ROOT / "examples" / "github-actions" / "README.md").read_text()
    assert used == ACTION["inputs"].keys()
    assert all(f"`{name}`" in readme for name in [*ACTION["inputs"], *ACTION["outputs"]])


def test_workflow_states_inputs_and_outputs_that_exist() -> None:
    (step,) = [each for each in WORKFLOW["jobs"]["build"]["steps"] if each.get("id") == "target"]
    assert step["with"].keys() <= ACTION["inputs"].keys()
    text = (ROOT / "examples" / "github-actions" / "build.yml").read_text()
    assert set(re.findall(r"outputs\.([a-z-]+)", text)) <= ACTION["outputs"].keys()
