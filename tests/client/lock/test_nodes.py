"""Nodes in a lock: `REF#/pointer` is locked, checked and resolved as any other reference."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.client.conftest import Ttag
from tests.client.lock.test_format import locked as locked_target
from ttag import (
    ExportOptions,
    FileError,
    Lock,
    LockedTarget,
    Mirror,
    NotLocked,
    Project,
    ReferenceInvalid,
    Refused,
    Registry,
    Tampered,
    Unreachable,
)
from ttag.canonical_json import canonical, digest_of
from ttag.errors import ExitCode
from ttag.lock import format as lock_format
from ttag.lock.format import parse, render
from ttag.mirror.layout import digest_path
from ttag.mirror.mirroring import write_mirror
from ttag.tvm.description import describe_all

AWAY = "http://127.0.0.1:9"  # nothing listens there
WHOLE, GPU = "example/vm-with-byoc@1", "example/vm-with-byoc@1#/devices/vdevice1"
PATH = Path("targets.lock")


def project(folder: Path, address: str = AWAY) -> Project:
    environment = {"TTAG_REGISTRY": address, "TTAG_CACHE": str(folder / "cache")}
    return Project.open(folder, environment=environment)


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def nodes_of(target: LockedTarget) -> list[str]:
    return [f"#/devices/{label}" for label in target.resolution.target["devices"]]


def test_every_node_of_a_locked_target_resolves_without_a_network(
    registry: str, work: Path, ttag: Ttag
) -> None:
    assert ttag("lock", WHOLE, "--format", "tvm", directory=work).code == 0
    lock = Lock.read(work / PATH)
    nodes = nodes_of(lock.target(WHOLE))
    assert nodes
    served = Registry(registry)
    for reference in [f"{WHOLE}{node}" for node in nodes]:
        mine, theirs = project(work).resolve(reference), served.resolve(reference)
        assert (mine.text, mine.digest, mine.exact) == (theirs.text, theirs.digest, theirs.exact)
        assert mine.tuning_keys == theirs.tuning_keys
        assert (mine.status, mine.build_key) == ("locked", "")
        for form in ("tvm", "target", "tuning"):
            expected = served.export(reference, form)
            if form != "tuning":
                assert project(work).export(reference, form) == expected
        with pytest.raises(Unreachable, match="does not hold"):
            project(work).export(reference, "clang")


def test_nodes_of_a_locked_target_are_described_without_a_network(
    registry: str, work: Path, ttag: Ttag
) -> None:
    """`annotate` and `compile` take their targets from descriptions."""
    assert ttag("lock", WHOLE, "--format", "tvm", directory=work).code == 0
    references = [
        WHOLE,
        *(f"{WHOLE}{node}" for node in nodes_of(Lock.read(work / PATH).target(WHOLE))),
    ]
    offline = describe_all(references, project(work))
    assert offline == describe_all(references, project(work.parent, registry))
    assert [each.origin.reference for each in offline] == [
        reference.replace("@1", "@1.0.0") for reference in references
    ]


def test_a_locked_node_resolves_without_a_network(registry: str, work: Path, ttag: Ttag) -> None:
    run = ttag("lock", GPU, "--format", "tvm", "--format", "consumers", directory=work)
    assert (run.code, run.out) == (
        0,
        f"added {GPU} at example/vm-with-byoc@1.0.0 as consumers, tvm\n",
    )
    served = Registry(registry)
    mine, theirs = project(work).resolve(GPU), served.resolve(GPU)
    assert mine == replace(theirs, status="locked", published="", lineage=(), warnings=())
    assert mine.event is not None
    for form in ("tvm", "consumers", "target"):
        assert project(work).export(GPU, form) == served.export(GPU, form)
    assert describe_all([GPU], project(work)) == describe_all([GPU], project(work.parent, registry))
    run = ttag("resolve", GPU, "--locked", "--format", "consumers", directory=work)
    assert (run.code, run.out) == (0, f"{served.export(GPU, 'consumers').text}\n")
    name, _, node = GPU.partition("#")
    assert project(work).export(name, "tvm", ExportOptions(node=node)).reference == GPU
    assert ttag("check", directory=work).code == 0


def test_a_locked_node_locks_neither_the_target_nor_other_nodes(work: Path, ttag: Ttag) -> None:
    assert ttag("lock", GPU, directory=work).code == 0
    for reference in (WHOLE, f"{WHOLE}#/devices/vdevice0"):
        with pytest.raises(NotLocked, match="Add it with `ttag lock"):
            project(work).locked_only().resolve(reference)


def test_settings_can_name_nodes(work: Path, ttag: Ttag) -> None:
    settings = work / "ttag.toml"
    settings.write_text(f'targets = ["{WHOLE}", "{GPU}"]\nformats = ["tvm"]\n')
    assert ttag("lock", directory=work).code == 0
    assert [*Lock.read(work / PATH).targets] == [WHOLE, GPU]
    assert ttag("check", directory=work).code == 0
    assert ttag("sync", directory=work).code == 0
    settings.write_text(f'targets = ["{WHOLE}"]\n')
    run = ttag("check", directory=work)
    assert (run.code, f"{GPU} is locked, but not in `targets`" in run.out) == (1, True)
    assert ttag("lock", directory=work).out == f"removed {GPU}\n"


def test_files_of_nodes_are_named_after_target_and_pointer(work: Path, ttag: Ttag) -> None:
    assert ttag("resolve", WHOLE, GPU, "-o", "out", directory=work).code == 0
    name = WHOLE.replace("/", "_")
    files = {file.name for file in (work / "out").iterdir()}
    assert files == {name, f"{name}_devices_vdevice1"}


@pytest.mark.parametrize("pointer", ["/devices/nothing", "/devices", "/devices/vdevice1/kind"])
def test_a_node_that_the_target_lacks_is_not_locked(work: Path, ttag: Ttag, pointer: str) -> None:
    assert ttag("lock", WHOLE, directory=work).code == 0
    before = (work / PATH).read_bytes()
    run = ttag("lock", f"{WHOLE}#{pointer}", directory=work)
    assert (run.code, f"has no node at '{pointer}'" in run.err) == (ExitCode.REFUSED, True)
    assert (work / PATH).read_bytes() == before
    with pytest.raises(Refused, match="has no node at"):
        project(work).resolve(f"{WHOLE}#{pointer}")


@pytest.mark.parametrize(
    "text",
    ["#", "#devices/0", "#/", "#/a~2", "#/a~", "#//a", "#/a#/b", "#/a b", "#/\u00e9", "##/a"],
)
def test_bad_pointers_are_refused_before_anything_is_asked(work: Path, text: str) -> None:
    for call in (project(work).resolve, Registry(AWAY).resolve, Mirror.open("file:///").resolve):
        with pytest.raises(ReferenceInvalid, match="is not a JSON pointer to a node"):
            call(f"{WHOLE}{text}")


@pytest.mark.parametrize("command", ["show", "explain", "versions"])
def test_what_concerns_whole_targets_refuses_a_node(ttag: Ttag, command: str) -> None:
    run = ttag(command, GPU)
    assert (run.code, "only a whole target can stand here" in run.err) == (ExitCode.REFUSED, True)


def node_lock(node: str = "/host", node_build_key: str = "") -> LockedTarget:
    """Return a node of a locked target whose host is a CPU."""
    whole = locked_target("a/a@1")
    target: dict[str, Any] = {"kind": "cuda", "arch": "sm_53", "host": whole.resolution.target}
    data = canonical(target)
    resolution = replace(whole.resolution, text=data.decode(), digest=digest_of(data))
    return replace(whole, resolution=resolution, node=node, node_build_key=node_build_key)


def test_only_a_lock_with_nodes_has_the_format_that_older_releases_refuse(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert render([node_lock("")]).startswith(lock_format.HEADER.format(1))
    text = render([node_lock(node_build_key="bk1:1")])
    assert text.startswith(lock_format.HEADER.format(3))
    assert parse(text, PATH).targets == {"a/a@1#/host": node_lock(node_build_key="bk1:1")}
    monkeypatch.setattr(lock_format, "VERSION", 2)
    with pytest.raises(FileError, match=r"has the format 3, and this ttag knows 2\. Update ttag"):
        parse(text, PATH)


@pytest.mark.parametrize("version", [1, 2])
def test_older_formats_have_no_nodes(version: int) -> None:
    text = render([node_lock()]).replace("version = 3", f"version = {version}", 1)
    with pytest.raises(FileError, match=f"has a node, which the format {version} does not know"):
        parse(text, PATH)


def resealed(text: str, old: str, new: str) -> str:
    """Return a lock with another value, and the checksum that it then has."""
    assert old in text
    (table,) = lock_format._parse_tables(text.replace(old, new), PATH)[0]
    checksum = lock_format.checksum_of({**table})
    return text.replace(old, new).replace(table["checksum"], checksum)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("#/host", "#/devices/0", "has no node at '/devices/0'"),
        ("#/host", "#/host/mcpu", "has no node at"),
        ("#/host", "#host", "is not one that it selects"),
        ("sm_53", "sm_54", "does not have the digest"),
    ],
)
def test_a_tampered_node_is_a_fault(old: str, new: str, fault: str) -> None:
    text = render([node_lock()])
    assert [*parse(text.replace(old, new), PATH).faults.values()] != []
    (message,) = parse(resealed(text, old, new), PATH).faults.values()
    assert fault in message


def test_the_text_of_another_node_is_tampering(work: Path, ttag: Ttag) -> None:
    assert ttag("lock", GPU, "--format", "tvm", directory=work).code == 0
    text = (work / PATH).read_text()
    (work / PATH).write_text(resealed(text, "#/devices/vdevice1", "#/devices/vdevice0"))
    with pytest.raises(Tampered, match="is not the target's"):
        project(work).export(GPU.replace("vdevice1", "vdevice0"), "tvm")
    run = ttag("check", "--offline", directory=work)
    assert (run.code, "tampered:" in run.out) == (ExitCode.TAMPERED, True)


def test_a_changed_text_of_the_whole_gives_no_node(work: Path, ttag: Ttag) -> None:
    assert ttag("lock", WHOLE, "--format", "tvm", directory=work).code == 0
    path = work / PATH
    path.write_text(resealed(path.read_text(), '"pass_config":{', '"pass_config":{"a":1,'))
    with pytest.raises(Tampered):
        project(work).export(GPU, "tvm")


def test_mirrors_resolve_and_lock_nodes(
    registry: str, work: Path, ttag: Ttag, tmp_path: Path
) -> None:
    root = tmp_path / "mirror"
    write_mirror(Registry(registry), root, namespaces=["example"], formats=["tvm"])
    mirror, served = Mirror.open(root.as_uri()), Registry(registry)
    assert mirror.resolve(GPU) == replace(served.resolve(GPU), build_key="")
    assert mirror.export(GPU, "tvm") == served.export(GPU, "tvm")
    for pointer in ("/devices/nothing", "/devices/vdevice1/kind"):
        with pytest.raises(Refused, match="has no node at"):
            mirror.resolve(f"{WHOLE}#{pointer}")
    run = ttag("lock", GPU, "--format", "tvm", directory=work, TTAG_REGISTRY=root.as_uri())
    assert run.code == 0, run.err
    assert "was checked to event" in run.err  # the whole target is proven
    assert project(work).export(GPU, "tvm") == served.export(GPU, "tvm")
    assert ttag("check", directory=work, TTAG_REGISTRY=root.as_uri()).code == 0
    target = root / digest_path(served.resolve(WHOLE).digest)
    target.write_bytes(target.read_bytes().replace(b"vdevice1", b"vdevice7"))
    with pytest.raises(Tampered, match="does not have its digest"):
        mirror.resolve(GPU)
