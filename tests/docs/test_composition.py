"""docs/operating/compose.yml composes containers as docs/operating.md runs them one by one."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.compilers.tools import tool
from tests.docs import markdown
from tests.patience import PATIENCE

FOLDER = markdown.ROOT / "docs/operating"
NAME = "compose.yml"
FILES = ("environment", "database.environment")  # that operators write
NODES = ("node-1", "node-2")
OF_REGISTRY = (*NODES, "migrate", "worker")
LIMITS = {"memory": "mem_limit", "pids-limit": "pids_limit"}  # of podman, and of a composition


def services() -> dict[str, dict[str, Any]]:
    document: dict[str, dict[str, dict[str, Any]]] = yaml.safe_load((FOLDER / NAME).read_text())
    return document["services"]


def check(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    """Let docker-compose read a composition."""
    (folder / NAME).write_text(text)
    for file in FILES:
        (folder / file).touch()
    shutil.copy(FOLDER / "nodes.conf", folder)
    return subprocess.run(
        [tool("docker-compose"), "--file", str(folder / NAME), "config"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_docker_compose_accepts_it(tmp_path: Path) -> None:
    done = check(tmp_path, (FOLDER / NAME).read_text())
    assert done.returncode == 0, done.stderr
    accepted = yaml.safe_load(done.stdout)["services"]
    assert set(accepted) == set(services())
    assert accepted["node-1"]["image"] == accepted["worker"]["image"]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("pids_limit: 80", "pid_limit: 80"),
        ("service_completed_successfully", "service_finished"),
        ("    migrate: {condition", "    migration: {condition"),
    ],
)
def test_docker_compose_refuses_what_is_wrong(tmp_path: Path, right: str, wrong: str) -> None:
    text = (FOLDER / NAME).read_text()
    assert right in text
    assert check(tmp_path, text.replace(right, wrong)).returncode != 0


def test_only_one_container_migrates_and_the_others_wait_for_it() -> None:
    commands = {name: services()[name].get("command", "") for name in OF_REGISTRY}
    assert [name for name, command in commands.items() if "migrate" in command] == ["migrate"]
    for name in (*NODES, "worker"):
        condition = {"condition": "service_completed_successfully"}
        assert services()[name]["depends_on"] == {"migrate": condition}
    assert services()["migrate"]["restart"] == "no"


def test_containers_of_the_registry_are_confined() -> None:
    for name in OF_REGISTRY:
        service = services()[name]
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert "ports" not in service, "clients could forge the headers of the proxy"


def test_limits_are_those_of_single_containers() -> None:
    (section,) = markdown.section("docs/operating.md", "Run as a container").blocks
    runs = [line for line in section.text.splitlines() if "--detach" in line]
    for name, run in zip(("node-1", "worker"), runs, strict=True):
        for option, limit in LIMITS.items():
            assert f"--{option} {services()[name][limit]} " in run


def test_addresses_are_those_of_the_proxy() -> None:
    addresses = {
        name: service["networks"]["registry"]["ipv4_address"]
        for name, service in services().items()
        if isinstance(service["networks"], dict)
    }
    text = (FOLDER / "nodes.conf").read_text()
    assert {addresses[name] for name in NODES} == set(re.findall(r"server ([\d.]+):8000", text))
    assert re.findall(r"listen ([\d.]+):80", text) == [addresses["proxy"]]
