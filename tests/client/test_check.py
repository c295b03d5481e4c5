"""`ttag check`: each finding, and its exit code."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.client.conftest import Run, Ttag
from tests.client.publisher import HASWELL, MAJOR, MINOR, PATCH, Publisher
from tests.client.scripted_server import ScriptedServer, problem, response
from tests.databases import ROOT
from ttag import Lock, Registry
from ttag.errors import Unreachable
from ttag.lock.check import PROBLEM_OF_WARNING
from ttag.lock.lock import write_lock
from ttag.project import Project

Check = Callable[..., Run]


@pytest.fixture
def check(ttag: Ttag, publisher: Publisher, tmp_path: Path) -> Check:
    """Return a function that runs commands in a folder, against the registry of `publisher`."""

    def run(*arguments: str, **variables: str) -> Run:
        return ttag(
            *arguments, directory=tmp_path, **{"TTAG_REGISTRY": publisher.address, **variables}
        )

    return run


def write_settings(folder: Path, targets: list[str], formats: list[str] | None = None) -> None:
    (folder / "ttag.toml").write_text(f"targets = {targets}\nformats = {formats or []}\n")


def test_lock_that_is_up_to_date(check: Check, publisher: Publisher, tmp_path: Path) -> None:
    write_settings(tmp_path, [publisher.new_tag(HASWELL)], ["clang"])
    check("lock")
    run = check("check")
    assert (run.code, run.out, run.remarks) == (0, "", "targets.lock is up to date.\n")
    assert check("check", "--json").out == "[]\n"


def test_missing_lock_is_stale(check: Check) -> None:
    run = check("check")
    assert (run.code, run.out) == (1, "stale: There is no targets.lock. `ttag lock` writes it.\n")


def test_outdated_says_what_moved_and_why(check: Check, publisher: Publisher) -> None:
    tag = publisher.new_tag(HASWELL)
    check("lock", tag)
    publisher.publish(tag, PATCH, "Name the vendor")
    publisher.publish(tag, MAJOR | {"hardware": {"vendor": "Acme"}}, "Correct the CPU")
    run = check("check", "--outdated")
    assert run.code == 1
    finding, move, *lines = run.out.splitlines()
    assert finding.startswith(f"outdated: {tag} is locked to {tag}@1.0.0")
    assert move.startswith(f"{tag}: 1.0.0 -> 2.0.0  MAJOR: rebuild; tuning records of 1 of 1 ")
    assert [line.partition(",")[0] for line in lines[:2]] == ["    2.0.0", "    1.0.1"]
    assert lines[1].endswith(": Name the vendor")
    assert lines[0].endswith(": Correct the CPU")
    assert "    /mcpu: haswell -> skylake" in lines
    (answer,) = json.loads(check("check", "--outdated", "--json").out)
    assert (answer["problem"], answer["fails"]) == ("outdated", True)
    assert [each["version"] for each in answer["move"]["versions"]] == ["2.0.0", "1.0.1"]
    assert (answer["move"]["old"], answer["move"]["bump"]) == (f"{tag}@1.0.0", "MAJOR")


def test_only_outdated_asks_for_explanations(check: Check, publisher: Publisher) -> None:
    """A check in each build stays as quick as it was, and what is up to date needs no words."""
    tag, other = publisher.new_tag(HASWELL), publisher.new_tag(HASWELL)
    check("lock", tag, other)
    assert check("check", "--outdated").out == ""
    publisher.publish(tag, MINOR)
    assert len(check("check").out.splitlines()) == 1
    (answer,) = json.loads(check("check", "--json").out)
    assert (answer["fails"], answer["move"]) == (False, None)
    assert other not in check("check", "--outdated").out


def test_a_yanked_version_on_the_way_is_named_with_its_reason(
    check: Check, publisher: Publisher
) -> None:
    tag = publisher.new_tag(HASWELL)
    check("lock", tag)
    publisher.publish(tag, MINOR)
    publisher.yank(f"{tag}@1.1.0", "wrong executor")
    publisher.publish(tag, MAJOR)
    run = check("check", "--outdated")
    assert ": yanked: wrong executor" in run.out
    assert "1.0.0 -> 2.0.0" in run.out


def test_settings_that_name_something_else_make_it_stale(
    check: Check, publisher: Publisher, tmp_path: Path
) -> None:
    one, other = publisher.new_tag(HASWELL), publisher.new_tag(HASWELL)
    check("lock", one)
    write_settings(tmp_path, [other], ["clang"])
    run = check("check")
    assert run.code == 1
    assert run.out.splitlines() == [
        f"stale: {one} is locked, but not in `targets` of the settings.",
        f"stale: {one} is not locked as clang: run `ttag lock`.",
        f"stale: {other} is not locked: run `ttag lock`.",
    ]


def test_another_registry_makes_it_stale(check: Check, publisher: Publisher) -> None:
    tag = publisher.new_tag(HASWELL)
    check("lock", tag)
    other = publisher.address.replace("127.0.0.1", "localhost")
    run = check("check", TTAG_REGISTRY=other)
    assert run.code == 1
    assert f"stale: {tag} is locked from {publisher.address}, and the settings name" in run.out
    assert check("check", "--offline", TTAG_REGISTRY="").code == 0


def test_yanked_version_fails_with_its_reason(check: Check, publisher: Publisher) -> None:
    tag = publisher.new_tag(HASWELL)
    check("lock", f"{tag}@1.0.0")
    publisher.yank(f"{tag}@1.0.0", "wrong number of cores")
    run = check("check")
    assert run.code == 1
    assert run.out == f"yanked: {tag}@1.0.0 was yanked: wrong number of cores.\n"
    assert check("check", "--offline").code == 0


def test_floating_reference_to_a_yanked_version_fails(check: Check, publisher: Publisher) -> None:
    tag = publisher.new_tag(HASWELL)
    check("lock", tag)
    publisher.yank(f"{tag}@1.0.0", "wrong")
    run = check("check")
    assert (run.code, run.out) == (1, f"yanked: {tag}@1.0.0 was yanked: wrong.\n")


def test_deprecated_tag_fails_with_its_successor(check: Check, publisher: Publisher) -> None:
    tag, successor = publisher.new_tag(HASWELL), publisher.new_tag(HASWELL)
    check("lock", tag)
    publisher.deprecate(tag, "sold out", successor)
    run = check("check")
    assert run.code == 1
    assert run.out == f"deprecated: {tag} is deprecated: sold out. Use {successor} instead.\n"


def test_locking_what_is_deprecated_warns(check: Check, publisher: Publisher) -> None:
    tag, successor = publisher.new_tag(HASWELL), publisher.new_tag(HASWELL)
    publisher.deprecate(tag, "sold out", successor)
    run = check("lock", tag)
    assert run.code == 0
    assert f"warning: {tag}: {tag} is deprecated: sold out. Use {successor} instead." in run.err


def test_yanked_parent_is_a_note(check: Check, publisher: Publisher) -> None:
    parent = publisher.new_tag(HASWELL)
    child = publisher.new_tag({"tag": parent, "num-cores": 8})
    check("lock", child)
    publisher.yank(f"{parent}@1.0.0", "wrong")
    run = check("check")
    assert run.code == 0
    assert run.out == f"parent-yanked: it is made from {parent}@1.0.0, which was yanked.\n"


def test_newer_version_is_a_note_unless_asked_for(check: Check, publisher: Publisher) -> None:
    tag = publisher.new_tag(HASWELL)
    check("lock", tag, f"{tag}@1.0.0")
    publisher.publish(tag, MINOR)
    run = check("check")
    assert run.code == 0
    assert run.out == (
        f"outdated: {tag} is locked to {tag}@1.0.0, and now selects {tag}@1.1.0: run `ttag sync`.\n"
    )
    assert check("check", "--outdated").code == 1


def test_edit_by_hand_is_tampering(check: Check, publisher: Publisher, tmp_path: Path) -> None:
    tag = publisher.new_tag(HASWELL)
    check("lock", tag)
    path = tmp_path / "targets.lock"
    path.write_text(path.read_text().replace("haswell", "skylake"))
    for arguments in (["check"], ["check", "--offline"]):
        run = check(*arguments)
        assert run.code == 5
        assert run.out.startswith(f"tampered: {tag} cannot be trusted: its target does not have")


def test_edit_by_hand_with_new_checksums_is_tampering(
    check: Check, publisher: Publisher, tmp_path: Path
) -> None:
    """An attacker can compute checksums, but cannot change what the registry has."""
    tag, other = publisher.new_tag(HASWELL), publisher.new_tag(MINOR)
    check("lock", tag, "--format", "clang")
    forge(tmp_path / "targets.lock", publisher, tag, other)
    run = check("check", "--offline")
    assert run.code == 5
    assert "in the format clang that is not the target's" in run.out
    run = check("check")
    assert run.code == 5
    assert f"tampered: {tag}@1.0.0 has the digest" in run.out
    assert f"format-changed: {tag} as clang is not the text that the registry writes" in run.out


def test_corrected_format_is_a_change_and_can_be_locked(
    check: Check, publisher: Publisher, tmp_path: Path
) -> None:
    """The target is the same; a later release of the registry may write other flags for it."""
    tag = publisher.new_tag({**HASWELL, "mtriple": "x86_64-linux-gnu"})
    check("lock", tag, "--format", "clang")
    path = tmp_path / "targets.lock"
    lock = Lock.read(path)
    target = lock.targets[tag]
    # Both spellings of the triple are those of the target.
    spellings = ["--target=x86_64-linux-gnu", "--target=x86_64-unknown-linux-gnu"]
    text = target.exports["clang"].text
    (other,) = {f"{spelling} -march=haswell\n" for spelling in spellings} - {text}
    old_text = replace(target.exports["clang"], text=other)
    write_lock(path, [replace(target, exports={"clang": old_text})], lock.logs)
    run = check("check")
    assert run.code == 1
    assert run.out.startswith(f"format-changed: {tag} as clang is not the text")
    assert check("check", "--offline").code == 0
    check("lock", tag)
    assert check("check").code == 0


def forge(path: Path, publisher: Publisher, tag: str, other: str) -> None:
    """Put another target, and other flags, under the name of a locked one."""
    target = Lock.read(path).targets[tag]
    stolen = Registry(publisher.address).resolve(other)
    resolution = replace(target.resolution, text=stolen.text, digest=stolen.digest)
    exports = {"clang": replace(target.exports["clang"], text="-march=native\n")}
    write_lock(path, [replace(target, resolution=resolution, exports=exports)])


def test_registry_that_lies_about_a_digest_is_tampering(
    check: Check, publisher: Publisher, server: ScriptedServer, tmp_path: Path
) -> None:
    tag = publisher.new_tag(HASWELL)
    check("lock", f"{tag}@1.0.0")
    answer = Registry(publisher.address).resolve(tag).as_json()
    lie = {**answer, "target": {**answer["target"], "mcpu": "skylake"}}
    server.responses.append(response(lie))
    run = check("check", TTAG_REGISTRY=server.address)
    assert run.code == 5
    assert "tampered: The registry" in run.out


def test_version_that_the_registry_does_not_have_is_unknown(
    check: Check, publisher: Publisher, server: ScriptedServer
) -> None:
    tag = publisher.new_tag(HASWELL)
    check("lock", f"{tag}@1.0.0", "--format", "clang")
    server.responses.append(problem("TAG_UNKNOWN", 404, f"There is no tag {tag}."))
    run = check("check", TTAG_REGISTRY=server.address)
    assert run.code == 1
    assert f"unknown: There is no tag {tag}." in run.out


def test_unreachable_registry_is_not_taken_for_an_answer(
    check: Check, publisher: Publisher
) -> None:
    """Not even what the cache holds counts, because a check is about what is true today."""
    tag = publisher.new_tag(HASWELL)
    check("resolve", tag, "--format", "json")
    check("resolve", f"{tag}@1.0.0", "--format", "json")
    check("lock", tag)
    assert check("check", TTAG_REGISTRY="http://127.0.0.1:9").code == 4
    assert check("check", TTAG_REGISTRY="http://127.0.0.1:9", TTAG_OFFLINE="1").code == 1


def test_newest_version_that_nobody_could_be_asked_for_is_not_taken_for_the_locked_one(
    check: Check, publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    tag = publisher.new_tag(HASWELL)
    check("lock", tag)
    ask_for = Project.ask_for

    def ask_for_exact(project: Project, asked: Mapping[str, str], ask: Any) -> Any:
        if [*asked.values()] == [tag]:
            return {tag: Unreachable("It is gone.")}
        return ask_for(project, asked, ask)

    monkeypatch.setattr(Project, "ask_for", ask_for_exact)
    run = check("check", "--outdated")
    assert (run.code, run.out) == (4, "")
    assert "error: It is gone." in run.err


@pytest.mark.parametrize(
    ("options", "environment"), [(["--offline"], {}), ([], {"TTAG_OFFLINE": "1"})]
)
def test_check_without_a_network_says_so_and_cannot_tell_what_is_outdated(
    check: Check, publisher: Publisher, options: list[str], environment: dict[str, str]
) -> None:
    check("lock", publisher.new_tag(HASWELL))
    run = check("check", *options, **environment)
    assert (run.code, "no registry was asked" in run.err) == (0, True)
    run = check("check", "--outdated", *options, **environment)
    assert (run.code, "--outdated asks the registry" in run.err) == (2, True)


def test_lock_with_conflicts_is_an_error(check: Check, tmp_path: Path) -> None:
    (tmp_path / "targets.lock").write_text("<<<<<<< HEAD\n=======\n>>>>>>> other\n")
    run = check("check")
    assert (run.code, "has merge conflicts" in run.err) == (6, True)


def test_json_says_which_findings_fail(check: Check, publisher: Publisher) -> None:
    tag = publisher.new_tag(HASWELL)
    check("lock", tag)
    publisher.publish(tag, MINOR)
    findings: list[dict[str, Any]] = json.loads(check("check", "--json").out)
    assert [(each["problem"], each["reference"], each["fails"]) for each in findings] == [
        ("outdated", tag, False)
    ]


def test_every_warning_of_the_registry_is_a_finding() -> None:
    source = (ROOT / "registry/services/versions/resolving.py").read_text()
    assert all(f'"{code}"' in source for code in PROBLEM_OF_WARNING)
    # A family is resolved as well as any tag: whoever locks one has been told.
    others = source.count('ResolutionWarning("') - source.count('ResolutionWarning("FAMILY"')
    assert others == len(PROBLEM_OF_WARNING)
