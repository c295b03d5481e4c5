"""Aliases: what one stands for is the registry's to say, and a lock notices when it changes."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.client.conftest import Run, Ttag
from tests.client.publisher import HASWELL, MAJOR, MINOR, Publisher
from tests.client.scripted_server import NO_LOG, ScriptedServer, response
from tests.client.test_belonging import answer
from ttag import Project, SettingsError, Tampered
from ttag.lock.check import check_lock
from ttag.lock.format import parse, render
from ttag.lock.locking import lock_targets
from ttag.lock.syncing import sync_targets

Command = Callable[..., Run]


@pytest.fixture
def run(ttag: Ttag, publisher: Publisher, tmp_path: Path) -> Command:
    """Return a function that runs commands in a folder, against the registry of `publisher`."""

    def run(*arguments: str) -> Run:
        return ttag(*arguments, directory=tmp_path, TTAG_REGISTRY=publisher.address)

    return run


@pytest.fixture
def alias(publisher: Publisher) -> str:
    """Return an alias of a new tag."""
    tag = publisher.new_tag(HASWELL)
    publisher.point(f"{tag},alias", tag)
    return f"{tag},alias"


@pytest.mark.parametrize("form", ["target", "json"])
def test_alias_that_is_not_locked_is_mentioned(run: Command, alias: str, form: str) -> None:
    tag = alias.removesuffix(",alias")
    assert f"{alias} is an alias" in run("resolve", alias, "--format", form).err
    assert f"now it stands for {tag}." in run("resolve", alias, tag, "--format", form).err
    assert "alias" not in run("resolve", tag, "--format", form).err


def test_locked_alias_is_not_mentioned_again(run: Command, alias: str) -> None:
    tag = alias.removesuffix(",alias")
    assert run("lock", alias).out == f"added {alias} at {tag}@1.0.0\n"
    for command in (["resolve", alias], ["check"], ["sync"], ["lock"]):
        result = run(*command)
        assert (result.code, "is an alias" in result.err) == (0, False), command


@pytest.mark.parametrize("selector", ["", "@1", "@1.0.0"])
def test_repointed_alias_fails_a_check_until_it_is_synced(
    run: Command, publisher: Publisher, alias: str, selector: str
) -> None:
    tag, other = alias.removesuffix(",alias"), publisher.new_tag(MAJOR)
    run("lock", f"{alias}{selector}")
    publisher.point(alias, other)
    check = run("check")
    assert check.code == 1
    assert check.out == (
        f"repointed: {alias}{selector} is locked to {tag}@1.0.0, and is now an alias of {other}: "
        f"{other}@1.0.0: run `ttag sync`.\n"
    )
    assert "mcpu" in run("resolve", alias + selector).out
    assert f"{alias}{selector}: {tag}@1.0.0 -> {other}@1.0.0  MAJOR" in run("sync").out
    assert run("check").code == 0


def test_newer_version_of_an_alias_is_only_outdated(
    run: Command, publisher: Publisher, alias: str
) -> None:
    run("lock", alias)
    publisher.publish(alias.removesuffix(",alias"), MINOR)
    check = run("check")
    assert (check.code, check.out.partition(":")[0]) == (0, "outdated")


@pytest.fixture
def locked(server: ScriptedServer, tmp_path: Path) -> Project:
    """Return a project that has locked acme/board@1, a tag of the scripted registry."""
    (tmp_path / "ttag.toml").write_text(f'registry = "{server.address}"\ncache = "cache"\n')
    server.responses = [response(answer("acme/board@1")), NO_LOG]
    project = Project.open(tmp_path, environment={})
    lock_targets(project, ["acme/board@1"])
    return project


LIES = [
    answer("acme/board@1", tag="acme/card", version="1.9.0"),
    answer("acme/board@1", tag="acme/card"),
]


@pytest.mark.parametrize("lie", LIES)
def test_tag_never_becomes_an_alias(
    locked: Project, server: ScriptedServer, lie: dict[str, object]
) -> None:
    server.responses = [response(lie), NO_LOG]
    before = locked.settings.lock.read_bytes()
    with pytest.raises(Tampered, match=r"was a tag when it was locked.* an alias of acme/card\."):
        sync_targets(locked)
    assert locked.settings.lock.read_bytes() == before
    honest = response(answer("acme/board@1.2.3"))
    server.responses = [honest, NO_LOG, response(lie)]
    (finding,) = check_lock(locked)
    assert (finding.problem, "an alias of acme/card" in finding.message) == ("tampered", True)


def test_locked_version_is_not_taken_from_another_tag(
    locked: Project, server: ScriptedServer
) -> None:
    of_card = response(answer("acme/board@1.2.3", tag="acme/card"))
    server.responses = [of_card, of_card, of_card, NO_LOG]
    with pytest.raises(Tampered, match=r"acme/board@1\.2\.3 of the lock is acme/card@1\.2\.3 in"):
        locked.export("acme/board@1", "clang")
    assert {finding.problem for finding in check_lock(locked)} == {"tampered"}


def test_alias_cannot_bring_the_tags_of_another_registry(
    server: ScriptedServer, tmp_path: Path
) -> None:
    (tmp_path / "ttag.toml").write_text(
        f'registry = "https://example.org"\n[namespaces]\nacme = "{server.address}"\n'
    )
    server.responses = [response(answer("acme/board", tag="aws/c4.4xlarge"))]
    project = Project.open(tmp_path, environment={})
    for call in (project.resolve, lambda name: lock_targets(project, [name])):
        with pytest.raises(SettingsError, match=r"belongs to https://example\.org, and not to"):
            call("acme/board")
    assert not project.settings.lock.exists()


@pytest.mark.parametrize(
    ("reference", "version", "fits"),
    [
        ("acme/board", "1.2.3", True),
        ("acme/board@1", "1.2.3", True),
        ("acme/board@1.2.3", "1.2.3", True),
        ("acme/board@2", "1.2.3", False),
        ("acme/board@1.2.4", "1.2.3", False),
        ("acme/board@1", "1", False),
        ("acme/board@1", "1.2.3\n", False),
        ("acme/../board", "1.2.3", False),
        (f"acme/board@sha256:{'0' * 64}", "1.2.3", False),
    ],
)
def test_lock_with_a_version_that_its_reference_does_not_select_is_not_believed(
    locked: Project, reference: str, version: str, fits: bool
) -> None:
    target = locked.lock.target("acme/board@1")
    resolution = replace(target.resolution, reference=reference, version=version)
    content = parse(render([replace(target, resolution=resolution)]), locked.settings.lock)
    assert bool(content.targets) == fits
    assert all("is not one that it selects" in fault for fault in content.faults.values())
