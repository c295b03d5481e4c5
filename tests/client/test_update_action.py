"""The GitHub action that proposes newer versions, run with git and a stand-in for gh."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.client.publisher import HASWELL, MAJOR, MINOR, PATCH, Publisher
from tests.databases import ROOT

ACTION = yaml.safe_load((ROOT / "client" / "update" / "action.yml").read_text())
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
INPUT = re.compile(r"\$\{\{ inputs\.([a-z-]+) \}\}")
# Keeps pull requests in a file, as GitHub does, and answers with the fields that the action reads.
GH = f"""#!{sys.executable}
import json, os, sys
from pathlib import Path
store = Path(os.environ["GH_STORE"])
pulls = json.loads(store.read_text())
command, arguments = sys.argv[2], sys.argv[3:]
def option(name):
    return arguments[arguments.index(name) + 1]
if command == "list":
    open_ones = [each for each in pulls if each["head"] == option("--head") and each["open"]]
    field = option("--json")
    if open_ones:
        print(open_ones[0][field])
elif command == "create":
    number = len(pulls) + 1
    pulls.append({{"number": number, "url": f"https://git.example/pull/{{number}}", "open": True,
                  "head": option("--head"), "base": option("--base"), "title": option("--title"),
                  "body": Path(option("--body-file")).read_text()}})
else:
    (pull,) = [each for each in pulls if str(each["number"]) == arguments[0]]
    if command == "close":
        pull["open"] = False
    else:
        pull |= {{"title": option("--title"), "body": Path(option("--body-file")).read_text()}}
store.write_text(json.dumps(pulls))
"""


class Job:
    """A repository with a lock, and runs of the action on its main branch."""

    def __init__(self, folder: Path, address: str) -> None:
        self.folder, self.address = folder, address
        self.store = folder / "pulls.json"
        self.store.write_text("[]")
        tools = folder / "tools"
        tools.mkdir()
        (tools / "gh").write_text(GH)
        (tools / "gh").chmod(0o755)
        self.environment = {
            "PATH": f"{tools}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(folder),
            "GH_STORE": str(self.store),
            "GITHUB_ACTION_PATH": str(ROOT / "client" / "update"),
            "TTAG_CACHE": str(folder / "cache"),
        }
        self.git("init", "--quiet", "--bare", "--initial-branch=main", "origin.git", where=folder)

    def git(self, *arguments: str, where: Path | None = None) -> str:
        identity = ("-c", "user.name=alice", "-c", "user.email=alice@example.org")
        return subprocess.run(
            ["git", *identity, *arguments],
            cwd=where or self.folder / "origin.git",
            env=self.environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    def lock(self, *references: str) -> None:
        """Commit a lock of references to the main branch."""
        work = self.folder / "author"
        self.git("clone", "--quiet", "origin.git", "author", where=self.folder)
        self.git("checkout", "--quiet", "-B", "main", where=work)
        command = [sys.executable, "-m", "ttag", "lock", *references]
        path = {"PYTHONPATH": str(ROOT / "client"), "TTAG_REGISTRY": self.address}
        subprocess.run(command, cwd=work, env=self.environment | path, check=True)
        self.git("add", "targets.lock", where=work)
        self.git("commit", "--quiet", "--message=Lock", where=work)
        self.git("push", "--quiet", "origin", "main", where=work)

    def run(self, number: int, **inputs: str) -> str:
        """Check out the main branch as a new job does, run all steps, and return the output."""
        temp = self.folder / f"job-{number}"
        temp.mkdir()
        output = temp / "output"
        output.touch()
        self.git("clone", "--quiet", "../origin.git", "project", where=temp)
        defaults = {name: each.get("default", "") for name, each in ACTION["inputs"].items()}
        filled = {**defaults, "registry": self.address, "token": "secret", **inputs}
        for step in STEPS:
            stated = {
                name: INPUT.sub(lambda match: filled[match[1]], value)
                for name, value in step["env"].items()
            }
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                cwd=temp / "project",
                env={
                    **self.environment,
                    "RUNNER_TEMP": str(temp),
                    "GITHUB_OUTPUT": str(output),
                    **stated,
                },
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stderr
        return output.read_text()

    def pulls(self) -> list[Mapping[str, Any]]:
        pulls: list[Mapping[str, Any]] = json.loads(self.store.read_text())
        return pulls

    def branches(self) -> list[str]:
        return self.git("branch", "--format=%(refname:short)").split()


@pytest.fixture
def job(tmp_path: Path, publisher: Publisher) -> Job:
    return Job(tmp_path, publisher.address)


def test_one_pull_request_says_what_each_move_means(job: Job, publisher: Publisher) -> None:
    one, other = publisher.new_tag(HASWELL), publisher.new_tag(HASWELL)
    job.lock(one, other)
    publisher.publish(one, MINOR)
    publisher.publish(other, MAJOR)
    assert job.run(1) == "pull-request=https://git.example/pull/1\n"
    (pull,) = job.pulls()
    assert (pull["head"], pull["base"], pull["title"]) == (
        *("ttag/update", "main"),
        "Update targets.lock",
    )
    assert f"### `{one}`" in pull["body"]
    assert "`1.0.0 -> 1.1.0` is **MINOR**: `rebuild; tuning records stay valid`" in pull["body"]
    assert f"### `{other}`" in pull["body"]
    assert "**MAJOR**" in pull["body"]
    assert "- `/mcpu`: `haswell -> skylake`" in pull["body"]
    assert f"{publisher.address}/diff/{one}@1.0.0...{one}@1.1.0" in pull["body"]
    changed = job.git("diff", "--name-only", "main", "ttag/update").split()
    assert changed == ["targets.lock"]
    message = job.git("log", "-1", "--format=%B", "ttag/update")
    assert message.startswith("Update targets.lock\n\n### ")


def test_the_next_run_updates_the_open_pull_request(job: Job, publisher: Publisher) -> None:
    tag = publisher.new_tag(HASWELL)
    job.lock(tag)
    publisher.publish(tag, PATCH)
    job.run(1)
    publisher.publish(tag, MAJOR)
    assert job.run(2) == "pull-request=https://git.example/pull/1\n"
    (pull,) = job.pulls()
    assert "1.0.0 -> 2.0.0" in pull["body"]
    assert job.branches() == ["main", "ttag/update"]
    assert job.git("log", "--format=%h", "main..ttag/update").count("\n") == 1, "one commit"


def test_nothing_is_opened_where_nothing_moves(job: Job, publisher: Publisher) -> None:
    job.lock(publisher.new_tag(HASWELL))
    assert job.run(1) == "pull-request=\n"
    assert job.pulls() == []
    assert job.branches() == ["main"]


def test_an_open_pull_request_is_closed_once_the_lock_is_up_to_date(
    job: Job, publisher: Publisher
) -> None:
    tag = publisher.new_tag(HASWELL)
    job.lock(tag)
    publisher.publish(tag, MINOR)
    job.run(1)
    job.git("update-ref", "refs/heads/main", "refs/heads/ttag/update")  # somebody merged it by hand
    assert job.run(2) == "pull-request=\n"
    (pull,) = job.pulls()
    assert not pull["open"]
    publisher.publish(tag, MAJOR)
    job.run(3)
    assert [pull["open"] for pull in job.pulls()] == [False, True], "a new one afterwards"


@pytest.mark.parametrize("name", ["title", "branch"])
def test_input_is_never_run_as_a_command(job: Job, publisher: Publisher, name: str) -> None:
    tag = publisher.new_tag(HASWELL)
    job.lock(tag)
    publisher.publish(tag, MINOR)
    hostile = {"title": '$(touch pwned) `touch pwned`"; touch pwned', "branch": "a$(touch>pwned)b"}
    job.run(1, **{name: hostile[name]})
    assert "pwned" not in {path.name for path in job.folder.rglob("*")}
    assert job.pulls()[0]["title" if name == "title" else "head"] == hostile[name]


def test_no_script_holds_an_expression_and_every_input_is_documented() -> None:
    assert not [step for step in STEPS if "${{" in step["run"]]
    text = (ROOT / "client" / "update" / "action.yml").read_text()
    readme = (ROOT / "examples" / "github-actions" / "README.md").read_text()
    assert set(INPUT.findall(text)) == ACTION["inputs"].keys()
    assert all(f"`{name}`" in readme for name in [*ACTION["inputs"], *ACTION["outputs"]])
    workflow = yaml.safe_load((ROOT / "examples" / "github-actions" / "update.yml").read_text())
    step = workflow["jobs"]["update"]["steps"][-1]
    assert step["with"].keys() <= ACTION["inputs"].keys()
