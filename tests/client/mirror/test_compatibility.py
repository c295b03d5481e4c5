"""compatibility.json of a mirror, and verdicts by the tables of a later release."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.client.compatibility.cases import BODIES, cpu, render
from tests.client.conftest import Ttag, ttag_in
from ttag import Mirror, NotLocked, Project, Registry, Unreachable, runs_on
from ttag.canonical_json import canonical, digest_of
from ttag.errors import ExitCode, FileError, TtagError
from ttag.inspect.programs import Form, Inspection, Program
from ttag.inspect.running import part_verdicts
from ttag.judging import Side, judge
from ttag.mirror.compatibility import CASES, MAX_SIZE, Compatibility, content
from ttag.mirror.layout import CHECKSUMS, COMPATIBILITY
from ttag.mirror.writer import Writer
from ttag_rules.compatibility.options import Options
from ttag_rules.compatibility.verdicts import Answer, Dimension

Document = dict[str, Any]
HASWELL, LATER = cpu("haswell"), cpu("later-lake")  # which this release does not know


class Files:
    """A storage with a file, or that raises an error."""

    def __init__(self, content: bytes | TtagError | None) -> None:
        self.content = content

    def read(self, path: str, *, is_immutable: bool = False) -> bytes | None:
        """Return the content of the file."""
        assert path == COMPATIBILITY
        if isinstance(self.content, TtagError):
            raise self.content
        return self.content


def later(**changes: Any) -> Document:
    """Return the file of a later release, which knows a processor more."""
    document: Document = json.loads(content())
    processors = document["tables"]["instruction_sets"]["x86_64"]["processors"]
    processors["later-lake"] = processors["haswell"]
    return {**document, "release": "99.0.0", **changes}


def written(document: object) -> bytes:
    return json.dumps(document).encode()


def opened(data: bytes | TtagError | None) -> tuple[Mirror, list[str]]:
    """Return a mirror with a file, and the list of its warnings."""
    warnings: list[str] = []
    return Mirror("file:///mirror", Files(data), warn=warnings.append), warnings


def test_file_has_tables_rules_and_cases_in_less_than_a_mebibyte() -> None:
    document = json.loads(content())
    assert document["version"] == 1
    assert {"x86_64", "aarch64", "arm", "riscv64"} <= document["tables"]["instruction_sets"].keys()
    assert document["devices"]["cuda"]["tegra"] == [53, 62, 72, 87, 88, 110]
    assert "gfx1100" in document["devices"]["rocm"]["generic"]["gfx11-generic"]
    assert len(content()) < MAX_SIZE / 2


def test_cases_are_those_of_this_release() -> None:
    assert CASES.read_text() == render(), "run python -m tests.client.compatibility.cases"


def test_cases_tell_each_verdict_and_dimension() -> None:
    cases = json.loads(content())["cases"]
    verdicts = Counter(case["verdict"] for case in cases)
    assert len(cases) >= 200
    assert min(verdicts[answer] for answer in Answer) > 20
    assert {name for case in cases for name in case["dimensions"]} == {*Dimension}
    assert any(case["options"] for case in cases)


# By hand, from manuals, not from the rules.
@pytest.mark.parametrize(
    ("built_for", "machine", "answer"),
    [
        ("nehalem", "haswell", "yes"),
        ("haswell", "nehalem", "no"),
        ("x86-64-v3", "haswell", "yes"),
        ("haswell-aes", "haswell-no-aes", "no"),
        ("haswell-aes", "haswell", "conditional"),
        ("skylake-avx512", "znver4", "yes"),
        ("znver4", "sapphirerapids", "no"),
        ("skylake-avx512", "x86-64-v3", "unknown"),
        ("cortex-a53", "cortex-a76", "yes"),
        ("cortex-a76", "cortex-a53", "no"),
        ("generic-sha3", "cortex-a76", "no"),
        ("cortex-a76", "apple-m1", "no"),
        ("cortex-a7", "cortex-a7-soft", "no"),
        ("cortex-m4", "cortex-m7", "yes"),
        ("rv64gc", "sifive-x280", "yes"),
        ("rv64gc", "rv64gc-lp64", "no"),
        ("vectors-of-1024", "sifive-x280", "no"),
        ("sve-of-256", "neoverse-v1", "unknown"),
        ("power9", "power8", "no"),
        ("musl", "windows", "no"),
        ("sm_80", "sm_86", "yes"),
        ("sm_80", "sm_87", "conditional"),
        ("sm_86", "sm_80", "no"),
        ("sm_90a", "sm_103", "no"),
        ("sm_100f", "sm_103", "yes"),
        ("ptx-80", "sm_90a", "yes"),
        ("gfx90a-xnack", "gfx90a", "unknown"),
        ("gfx90a-xnack", "gfx90a-no-xnack", "no"),
        ("gfx11-generic", "gfx1100", "yes"),
        ("gfx1100", "gfx90a", "no"),
        ("mixin", "haswell", "unknown"),
        ("unheard-of", "haswell", "unknown"),
        ("host-and-gpu", "haswell", "unknown"),
        ("host-and-gpu", "two-gpus", "yes"),
    ],
)
def test_cases_say_what_manuals_say(built_for: str, machine: str, answer: str) -> None:
    cases = json.loads(content())["cases"]
    asked = {"built_for": built_for, "machine": machine, "options": {}}
    (case,) = [case for case in cases if case.items() >= asked.items()]
    assert case["verdict"] == answer


def test_a_mirror_of_this_release_or_without_the_file_changes_nothing() -> None:
    for data in (content(), written(later(release="0.1.9")), None):
        mirror, warnings = opened(data)
        assert (mirror.newer_compatibility, warnings) == (None, [])


def test_a_mirror_that_is_away_changes_nothing() -> None:
    for error in (NotLocked("not in the cache"), Unreachable("away")):
        mirror, warnings = opened(error)
        assert (mirror.newer_compatibility, warnings) == (None, [])


def test_tables_of_a_later_release_know_what_these_do_not() -> None:
    mirror, warnings = opened(written(later()))
    newer = mirror.newer_compatibility
    assert warnings == []
    assert judge(Side(LATER), Side(HASWELL)).answer == "unknown"
    assert judge(Side(LATER, newer=newer), Side(HASWELL)).answer == "yes"
    assert judge(Side(LATER), Side(cpu("nehalem"), newer=newer)).answer == "no"


def test_the_latest_of_two_tables_decides() -> None:
    older, _ = opened(written(later(tables=json.loads(content())["tables"], release="98.0.0")))
    latest, _ = opened(written(later()))
    for sides in ((older, latest), (latest, older)):
        one, other = (mirror.newer_compatibility for mirror in sides)
        assert judge(Side(LATER, newer=one), Side(HASWELL, newer=other)).answer == "yes"


def other_form() -> Document:
    return {"version": 2, "release": "99.0.0"}


def other_tables() -> Document:
    return later(tables={"version": 2})


def other_verdict() -> Document:
    """Return a file with a case that the rules of this release answer differently."""
    document = later()
    document["cases"][0]["verdict"] = "no"
    return document


def other_dimension() -> Document:
    document = later()
    document["cases"][0]["dimensions"]["power-supply"] = "yes"
    return document


def other_features() -> Document:
    document = later()
    document["tables"]["instruction_sets"]["x86_64"]["processors"]["haswell"] = ["cmov"]
    return document


@pytest.mark.parametrize(
    "document", [other_form, other_tables, other_verdict, other_dimension, other_features]
)
def test_rules_that_are_not_known_are_not_used(document: Callable[[], Document]) -> None:
    """A wrong yes would be worse than one that only an older release gives."""
    mirror, warnings = opened(written(document()))
    assert mirror.newer_compatibility is None
    (warning,) = warnings
    assert "is of a later release, whose rules" in warning
    assert "it answers by its own tables" in warning


@pytest.mark.parametrize(
    "data",
    [
        content()[:1000],
        content()[:-100],
        b"",
        b"\xff",
        b"[" * 100_000,
        written([]),
        written({}),
        written(None),
        written(later(release="new")),
        written(later(release=None)),
        written(later(bodies={})),
        written(later(cases=[])),
        written(later(cases=[{}])),
        written(later(cases={"verdict": "no"})),
        written(later(tables=[])),
        written(later(tables={"version": 1, "instruction_sets": {"x86_64": {}}})),
        content() + b" " * MAX_SIZE,
    ],
)
def test_a_damaged_file_is_said(data: bytes) -> None:
    mirror, _ = opened(data)
    with pytest.raises(Unreachable, match=r"compatibility\.json is damaged") as error:
        mirror.newer_compatibility  # noqa: B018 - reads the file
    assert error.value.exit_code == ExitCode.UNREACHABLE


def test_a_baseline_that_is_no_processor_is_damage() -> None:
    document = later()
    document["tables"]["instruction_sets"]["x86_64"]["baseline"] = "none"
    with pytest.raises(ValueError, match="baseline of x86_64"):
        Compatibility.from_json(document)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Return the folder of a mirror with the tags acme/new and acme/old, without a log."""
    root = tmp_path / "small"
    with Writer.open(root) as writer:
        for tag, body in {"acme/new": LATER, "acme/old": HASWELL}.items():
            put(writer, tag, body)
        writer.finish(
            registry="https://registry.example.org",
            event=2,
            namespaces=["acme"],
            formats=[],
            aliases={},
            log_heads={},
        )
    return root


def put(writer: Writer, tag: str, body: Document) -> None:
    target = canonical(body)
    identity = {
        "version": "1.0.0",
        "digest": digest_of(target),
        "published": "2026-11-27T12:00:00Z",
        "event": 1,
        "status": "active",
        "tuning_keys": {},
        "lineage": [],
        "build_key": None,
        "warnings": [],
    }
    writer.put_version(tag, identity, target, {})


@pytest.fixture
def offline(small: Path, tmp_path: Path) -> Ttag:
    """Return the command, which has only the mirror."""
    return ttag_in(tmp_path, small.as_uri())


QUESTION = ("runs-on", "acme/new", "acme/old")


def test_every_mirror_has_the_file_with_its_checksum(small: Path) -> None:
    assert (small / COMPATIBILITY).read_bytes() == content()
    assert f"  {COMPATIBILITY}\n" in (small / CHECKSUMS).read_text()


def test_a_mirror_answers_without_a_network(small: Path, offline: Ttag) -> None:
    own = offline("runs-on", "acme/old", "acme/old@1", "--offline", "--json")
    assert (own.code, json.loads(own.out)["machine"]) == (0, "acme/old@1.0.0")
    assert offline(*QUESTION).code == ExitCode.UNKNOWN
    (small / COMPATIBILITY).write_bytes(written(later()))
    assert offline(*QUESTION).code == ExitCode.OK
    (small / COMPATIBILITY).write_bytes(written(other_form()))
    run = offline(*QUESTION)
    assert run.code == ExitCode.UNKNOWN
    assert "answers by its own tables" in run.err


def test_locked_targets_are_asked_about_a_machine_of_later_tables(
    small: Path, offline: Ttag, tmp_path: Path
) -> None:
    (small / COMPATIBILITY).write_bytes(written(later()))
    (tmp_path / "ttag.toml").write_text('targets = ["acme/old"]\n')
    assert offline("lock", directory=tmp_path).code == 0
    run = offline("check", "--on", "acme/new", directory=tmp_path)
    assert (run.code, run.out) == (0, "")


def test_programs_are_asked_about_a_machine_of_later_tables() -> None:
    inspection = Inspection((Program("k", Form.PROGRAM, HASWELL, is_complete=True),))
    mirror, _ = opened(written(later()))
    for newer, answer in ((None, "unknown"), (mirror.newer_compatibility, "yes")):
        (part,) = part_verdicts(inspection, Side(LATER, newer=newer), Options())
        assert part.answer == answer


def test_a_truncated_file_ends_the_question(small: Path, offline: Ttag) -> None:
    (small / COMPATIBILITY).write_bytes(content()[:1000])
    run = offline(*QUESTION)
    assert (run.code, run.out) == (ExitCode.UNREACHABLE, "")
    assert "compatibility.json is damaged" in run.err


def test_a_link_in_place_of_the_file_is_not_followed(small: Path) -> None:
    (small / "other").write_bytes(written(later()))
    (small / COMPATIBILITY).unlink()
    (small / COMPATIBILITY).symlink_to(small / "other")
    with pytest.raises(FileError, match="symbolic link"):
        Mirror.open(small.as_uri()).runs_on("acme/new", "acme/old")


def test_a_lock_answers_without_its_mirror(small: Path, offline: Ttag, tmp_path: Path) -> None:
    assert offline("lock", "acme/new", "acme/old").code == 0
    (small / COMPATIBILITY).write_bytes(b"damaged")
    assert offline(*QUESTION, "--locked").code == ExitCode.UNKNOWN
    small.rename(tmp_path / "gone")
    assert offline(*QUESTION, "--offline").code == ExitCode.UNKNOWN


def test_registries_projects_and_mirrors_tell_the_same(small: Path) -> None:
    (small / COMPATIBILITY).write_bytes(written(later()))
    environment = {"TTAG_REGISTRY": small.as_uri(), "HOME": str(small)}
    for source in (
        Mirror.open(small.as_uri()),
        Registry(small.as_uri()),
        Project.open(small, environment=environment),
    ):
        judgement = source.runs_on("acme/new", BODIES["nehalem"])
        assert judgement.answer == "no"
        assert judgement.built_for.exact == "acme/new@1.0.0"
        assert judgement.as_json()["machine"] is None


def test_bodies_need_neither_a_registry_nor_a_project() -> None:
    judgement = runs_on(BODIES["sm_80"], BODIES["sm_90a"], ships=["cubin", "ptx"])
    assert (judgement.answer, judgement.conditions[0].name) == ("yes", "driver")
    assert runs_on(BODIES["sm_80"], BODIES["sm_80"], driver="400.1").reason.endswith("has 400.1.")
    assert runs_on(HASWELL, HASWELL, strict=True).answer is Answer.YES


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ships": ["zip"]}, "'zip' is not some of cubin, ptx"),
        ({"ships": "ptx"}, "'p' is not some of cubin, ptx"),
        ({"toolkit": "new"}, "'new' is not a version"),
        ({"driver": "1" * 9}, "is not a version"),
    ],
)
def test_options_that_are_none_are_refused(options: Any, message: str) -> None:
    with pytest.raises(TtagError, match=message):
        runs_on(HASWELL, HASWELL, **options)


def test_a_side_is_a_reference_a_file_or_this_machine(small: Path) -> None:
    path = small / "body.json"
    path.write_text(json.dumps(HASWELL))
    assert runs_on(str(path), cpu("nehalem")).answer == "no"
    side = replace(Side(HASWELL), exact="acme/old@1.0.0")
    assert judge(side, side).as_json()["built_for"] == "acme/old@1.0.0"
