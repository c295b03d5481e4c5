"""Targets with values that could harm a build are refused, unless they are allowed."""

from pathlib import Path
from typing import Any

import pytest

from tests.client.answers import resolution_answer
from tests.client.conftest import Ttag
from tests.client.scripted_server import ScriptedServer, response
from tests.client.texts.subjects import catalogue
from ttag import Lock, Mirror, Project, Registry, UnsafeTarget
from ttag.canonical_json import canonical, digest_of
from ttag.lock.content import LockedTarget
from ttag.lock.lock import write_lock
from ttag.mirror.layout import as_bytes
from ttag.resolution import LOCKED, Resolution
from ttag.unsafe import unsafe_values

LLVM: dict[str, Any] = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "haswell"}
UNSAFE = {**LLVM, "mtriple": "x86_64-a/evil-linux-gnu"}


@pytest.mark.parametrize(
    ("members", "pointer"),
    [
        ({"mtriple": "x86_64-a/evil-linux-gnu"}, "/mtriple"),
        ({"mtriple": "x86_64-..-linux-gnu"}, "/mtriple"),
        ({"mtriple": "-x86_64"}, "/mtriple"),
        ({"mtriple": "a-b-c-d-e-f"}, "/mtriple"),
        ({"mtriple": ""}, "/mtriple"),
        ({"mcpu": "-load"}, "/mcpu"),
        ({"mcpu": "help"}, "/mcpu"),
        ({"mcpu": "../x"}, "/mcpu"),
        ({"mcpu": "a,b"}, "/mcpu"),
        ({"mcpu": "a=b"}, "/mcpu"),
        ({"mcpu": "@x"}, "/mcpu"),
        ({"mcpu": "x" * 257}, "/mcpu"),
        ({"mattr": ["+avx", "+help"]}, "/mattr/1"),
        ({"mattr": ["avx"]}, "/mattr/0"),
        ({"mattr": ["+avx,-load"]}, "/mattr/0"),
        ({"mabi": "a/b"}, "/mabi"),
        ({"march": "a:b"}, "/march"),
        ({"keys": ["cpu", "/x"]}, "/keys/1"),
        ({"libs": ["a b"]}, "/libs/0"),
        ({"model": "x\x1b[2Jy"}, "/model"),
        ({"model": "../x"}, "/model"),
        ({"hardware": {"vendor": "Acme\x9b"}}, "/hardware/vendor"),
        ({"hardware": {"a\u202eb": 1}}, "/hardware/a\u202eb"),
        ({"cl-opt": ["-load=evil.so"]}, "/cl-opt/0"),
        ({"cl-opt": ["-print-after-all"]}, "/cl-opt/0"),
        ({"cl-opt": ["-ir-dump-directory:string=/x"]}, "/cl-opt/0"),
        ({"cl-opt": ["-unroll-threshold:uint=1", "-info-output-file=x"]}, "/cl-opt/1"),
        ({"cl-opt": ["-unroll-threshold=1"]}, "/cl-opt/0"),
        ({"cl-opt": ["-unroll-threshold:uint=8193"]}, "/cl-opt/0"),
        ({"cl-opt": ["-unroll-runtime", "-unroll-runtime=false"]}, "/cl-opt/1"),
        ({"cl-opt": ["-unroll-runtime=maybe"]}, "/cl-opt/0"),
        ({"llvm-options": ["-unroll-threshold:uint=1"]}, "/llvm-options/0"),
        ({"llvm-options": [7]}, "/llvm-options/0"),
        ({"executor": {"kind": "aot", "x": "/etc/passwd"}}, "/executor/x"),
        ({"runtime": {"kind": "crt/../x"}}, "/runtime/kind"),
        ({"flow": {"cuda.kernels_output_dir": "/x"}}, "/flow/cuda.kernels_output_dir"),
        ({"flow": {"tir.add_lower_pass": [[0, "x"]]}}, "/flow/tir.add_lower_pass"),
        ({"flow": {"some.setting": "text"}}, "/flow/some.setting"),
        ({"flow": {"some.setting": [{"a": ["text"]}]}}, "/flow/some.setting/0/a/0"),
        ({"flow": {"enable-byoc": ["a/b"]}}, "/flow/enable-byoc/0"),
        ({"host": {"kind": "llvm", "mcpu": "a/b"}}, "/host/mcpu"),
        ({"devices": {"gpu": {"kind": "cuda", "arch": "sm_80 -x"}}}, "/devices/gpu/arch"),
        ({"devices": [{"kind": "cuda", "arch": "/x"}]}, "/devices/0/arch"),
        ({"devices": {"../gpu": {"kind": "cuda"}}}, "/..~1gpu"),
        ({"new-option": "/etc/passwd"}, "/new-option"),
        ({"new-option": {"a": "x=y"}}, "/new-option/a"),
        ({"new/option": 1}, "/new~1option"),
        ({"codegen": "a;b"}, "/codegen"),
    ],
    ids=lambda value: ascii(value)[:60],
)
def test_unsafe_value_is_found_at_its_pointer(members: dict[str, Any], pointer: str) -> None:
    assert {each.pointer for each in unsafe_values({**LLVM, **members})} == {pointer}


@pytest.mark.parametrize(
    "members",
    [
        {"mtriple": "aarch64-apple-ios17.0-simulator"},
        {"mtriple": "arm-none-eabi"},
        {"mcpu": "cortex-m4+nofp"},
        {"mcpu": "gfx90a:sramecc+:xnack-"},
        {"mattr": ["+avx512vbmi2", "-sse4.1", "+v8.2a"]},
        {"cl-opt": ["-unroll-threshold:uint=1", "-unroll-runtime=true"]},
        {"llvm-options": ["-force-hvx-float", "-unroll-count=4"]},
        {"model": "Jetson Nano (2 GB), rev. A/B @ 1.4"},
        {"executor": {"kind": "aot", "interface-api": "packed"}},
        {"flow": {"link-params": True, "enable-byoc": ["cmsis-nn"], "a.b": [1, True]}},
        {"flow": {"tir.usmp.algorithm": "hill_climb", "tir.instrument_lwp": False}},
        {"new-option": "word", "other": ["+f", "-f"], "third": 1.5, "fourth": None},
        {"devices": {"gpu": {"kind": "new-kind", "arch": "x9"}}},
    ],
    ids=lambda value: ascii(value)[:60],
)
def test_value_that_harms_nothing_is_safe(members: dict[str, Any]) -> None:
    assert not [*unsafe_values({**LLVM, **members})]


def test_each_version_of_the_catalogue_is_safe() -> None:
    for each in catalogue():
        assert not [*unsafe_values(each.resolution.target)], each.export.reference


def locked(target: dict[str, Any]) -> LockedTarget:
    text = canonical(target).decode()
    resolution = Resolution(
        "acme/board", "acme/board", "1.0.0", digest_of(text.encode()), LOCKED, text, {}
    )
    return LockedTarget("https://registry.example.org", resolution, {})


@pytest.mark.parametrize(
    "arguments",
    [
        ["resolve", "acme/board"],
        ["resolve", "acme/board", "--format", "json"],
        ["resolve", "acme/board", "--format", "clang"],
        ["resolve", "acme/board", "-o", "flags"],
        ["lock", "acme/board"],
        ["lock", "acme/board", "--format", "clang"],
    ],
    ids=" ".join,
)
def test_command_refuses_an_unsafe_target_whatever_its_lints_say(
    ttag: Ttag, server: ScriptedServer, tmp_path: Path, arguments: list[str]
) -> None:
    server.responses.append(response({**resolution_answer(UNSAFE), "lints": []}))
    run = ttag(*arguments, directory=tmp_path, TTAG_REGISTRY=server.address)
    assert (run.code, run.out) == (3, "")
    assert "/mtriple is 'x86_64-a/evil-linux-gnu': it can name a file" in run.err
    assert "--allow-unsafe" in run.err
    assert {path.name for path in tmp_path.iterdir()} <= {"home", "work", "cache"}


@pytest.mark.parametrize("members", [{"model": "x-[redacted]"}, {"mattr": ["+f", "[redacted]"]}])
@pytest.mark.parametrize("form", ["json", "clang"])
def test_redacted_value_is_called_so(
    ttag: Ttag, server: ScriptedServer, members: dict[str, Any], form: str
) -> None:
    server.responses.append(response(resolution_answer({**LLVM, **members})))
    run = ttag("resolve", "acme/board", "--format", form, TTAG_REGISTRY=server.address)
    assert (run.code, run.out) == (3, "")
    assert "the registry's operator removed text from acme/board@1.0.0, whose /m" in run.err
    assert "[redacted]'. Use another version" in run.err
    assert "--allow-unsafe" not in run.err


@pytest.mark.parametrize(
    "members",
    [
        {"model": "x-[Redacted]"},
        {"mcpu": "redacted/x"},
        {"mattr": ["[redacted"]},
        {"mcpu": "/x", "model": "[redacted]"},
    ],
)
def test_unsafe_value_is_not_called_redacted(
    ttag: Ttag, server: ScriptedServer, members: dict[str, Any]
) -> None:
    server.responses.append(response(resolution_answer({**LLVM, **members})))
    run = ttag("resolve", "acme/board", TTAG_REGISTRY=server.address)
    assert run.code == 3
    assert "removed text" not in run.err
    assert "is not safe to build for" in run.err


def test_redacted_fact_for_people_refuses_nothing(ttag: Ttag, server: ScriptedServer) -> None:
    target = {**LLVM, "hardware": {"model": "[redacted]"}}
    server.responses.append(response(resolution_answer(target)))
    assert ttag("resolve", "acme/board", TTAG_REGISTRY=server.address).code == 0


def test_redacted_target_of_a_lock_is_called_so(tmp_path: Path) -> None:
    path = tmp_path / "targets.lock"
    write_lock(path, [locked({**LLVM, "model": "[redacted]"})])
    with pytest.raises(UnsafeTarget, match=r"removed text from acme/board@1\.0\.0, whose /model"):
        Lock.read(path).resolve("acme/board")


def test_unsafe_target_is_written_if_it_is_allowed(ttag: Ttag, server: ScriptedServer) -> None:
    server.responses.append(response(resolution_answer(UNSAFE)))
    run = ttag("resolve", "acme/board", "--allow-unsafe", TTAG_REGISTRY=server.address)
    assert run.code == 0
    assert "x86_64-a/evil-linux-gnu" in run.out


def test_text_of_an_unsafe_target_still_has_to_be_its_text(
    ttag: Ttag, server: ScriptedServer
) -> None:
    flags = "--target=x86_64-a/evil-linux-gnu -march=haswell\n"
    server.responses = [
        response(resolution_answer(UNSAFE)),
        response(flags.encode(), media_type="text/plain"),
        response(resolution_answer(UNSAFE)),
        response(flags.replace("evil", "more").encode(), media_type="text/plain"),
    ]
    arguments = ["resolve", "acme/board", "--format", "clang", "--allow-unsafe"]
    assert ttag(*arguments, TTAG_REGISTRY=server.address).out == flags
    run = ttag(*arguments, TTAG_REGISTRY=server.address)
    assert (run.code, run.out) == (5, "")


def test_json_cannot_rewrite_a_terminal(ttag: Ttag, server: ScriptedServer) -> None:
    warning = {"code": "YANKED", "message": "gone\x1b[2J\x9b1A\u202e"}
    server.responses.append(response({**resolution_answer(LLVM), "warnings": [warning]}))
    for more in ([], ["--json"]):
        arguments = ["resolve", "acme/board", "--format", "json", *more]
        run = ttag(*arguments, TTAG_REGISTRY=server.address)
        assert run.code == 0
        assert run.out.replace("\n", "").isprintable()
        assert "\\u009b1A" in run.out


def test_library_refuses_an_unsafe_target(server: ScriptedServer) -> None:
    server.responses.append(response(resolution_answer(UNSAFE)))
    with pytest.raises(UnsafeTarget):
        Registry(server.address).resolve("acme/board")
    assert Registry(server.address, allow_unsafe=True).resolve("acme/board").target == UNSAFE


def test_lock_with_an_unsafe_target_is_refused_when_it_is_used(tmp_path: Path) -> None:
    path = tmp_path / "targets.lock"
    write_lock(path, [locked(UNSAFE)])
    for ask in (
        lambda: Lock.read(path).resolve("acme/board"),
        lambda: Lock.read(path).export("acme/board@1.0.0", "target"),
        lambda: Project.open(tmp_path, environment={}).resolve("acme/board"),
        lambda: Project.open(tmp_path, environment={}).export("acme/board", "json"),
    ):
        with pytest.raises(UnsafeTarget):
            ask()
    assert Lock.read(path, allow_unsafe=True).resolve("acme/board").target == UNSAFE
    project = Project.open(tmp_path, environment={}, allow_unsafe=True)
    assert project.resolve("acme/board").target == UNSAFE


def test_mirror_with_an_unsafe_target_is_refused_when_it_is_used(tmp_path: Path) -> None:
    answer = resolution_answer(UNSAFE)
    target = canonical(answer.pop("target"))
    for name in ("reference", "tag"):
        answer.pop(name)
    tag = {"tag": "acme/board", "aliases": [], "versions": [{**answer, "formats": {}}]}
    overview = {"version": 1, "registry": "", "created": "", "event": 1}
    files = {
        "mirror.json": as_bytes({**overview, "namespaces": ["acme"], "formats": []}),
        "index/acme%2Fboard.json": as_bytes(tag),
        f"digests/sha256/{digest_of(target).removeprefix('sha256:')}": target,
    }
    for name, data in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    with pytest.raises(UnsafeTarget):
        Mirror.open(tmp_path.as_uri()).resolve("acme/board")
    allowed = Mirror.open(tmp_path.as_uri(), allow_unsafe=True).resolve("acme/board")
    assert allowed.target == UNSAFE
