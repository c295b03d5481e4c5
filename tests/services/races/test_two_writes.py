"""Tests of two writes that must not both succeed, or only in one order."""

from typing import Any

import pytest

from tests.services.races.writer_pool import WriterPool

LLVM = {"kind": "llvm", "mcpu": "haswell"}
SPREADS = [0, 0, 0.001, 0.002, 0.004, 0.008, 0.016]  # seconds between the writes


def publish(writers: WriterPool, tag: str, target: Any) -> None:
    (made,) = writers.together({"job": "publish_next", "tag": tag, "target": target})
    assert "number" in made


def events(writers: WriterPool) -> list[tuple[str, str]]:
    (found,) = writers.together({"job": "log", "after": 0})
    return [(action, subject) for _, action, subject in found]


@pytest.mark.parametrize(
    ("selector", "refusal"), [("@1.0.0", "PARENT_INVALID"), ("", "VERSION_UNKNOWN")]
)
@pytest.mark.parametrize("at", range(len(SPREADS)))
def test_no_version_inherits_from_a_yanked_one(
    writers: WriterPool, selector: str, refusal: str, at: int
) -> None:
    parent, child = f"acme/parent{len(selector)}-{at}", f"acme/child{len(selector)}-{at}"
    publish(writers, parent, LLVM)
    published, yanked = writers.together(
        {"job": "publish_first", "tag": child, "target": {"tag": parent + selector}},
        {"job": "yank", "reference": f"{parent}@1.0.0"},
        spread=SPREADS[at],
    )
    assert yanked == {"yanked": f"{parent}@1.0.0"}
    made, gone = ("version.published", f"{child}@1.0.0"), ("version.yanked", f"{parent}@1.0.0")
    log = events(writers)
    if "number" in published:
        assert log.index(made) < log.index(gone)
    else:
        assert refusal in published["refused"]
        assert made not in log


@pytest.mark.parametrize("at", range(len(SPREADS)))
def test_one_of_two_references_that_close_a_cycle_wins(writers: WriterPool, at: int) -> None:
    left, right = f"acme/left-{at}", f"acme/right-{at}"
    for tag in (left, right):
        publish(writers, tag, LLVM)
    outcome = writers.together(
        {"job": "publish_next", "tag": left, "target": {"tag": right, "num-cores": 2}},
        {"job": "publish_next", "tag": right, "target": {"tag": left, "num-cores": 4}},
        spread=SPREADS[at],
    )
    (lost,) = [one for one in outcome if "refused" in one]
    (won,) = [one for one in outcome if "number" in one]
    assert "CYCLE" in lost["refused"]
    assert won["number"] == "2.0.0"


@pytest.mark.parametrize("at", range(len(SPREADS)))
def test_one_of_two_references_that_close_a_cycle_over_a_third_tag_wins(
    writers: WriterPool, at: int
) -> None:
    """Neither write changes the references of the other, but together they close a cycle."""
    top, middle, bottom = f"acme/top-{at}", f"acme/middle-{at}", f"acme/bottom-{at}"
    publish(writers, bottom, LLVM)
    publish(writers, middle, {"tag": bottom})
    publish(writers, top, LLVM)
    outcome = writers.together(
        {"job": "publish_next", "tag": bottom, "target": {"tag": top, "num-cores": 4}},
        {"job": "publish_next", "tag": top, "target": {"tag": middle, "num-cores": 2}},
        spread=SPREADS[at],
    )
    (lost,) = [one for one in outcome if "refused" in one]
    assert "CYCLE" in lost["refused"]


@pytest.mark.parametrize("at", range(len(SPREADS)))
def test_name_becomes_either_a_tag_or_an_alias(writers: WriterPool, at: int) -> None:
    publish(writers, f"acme/aliased-{at}", LLVM)
    name = f"acme/name-{at}"
    outcome = writers.together(
        {"job": "publish_first", "tag": name, "target": LLVM},
        {"job": "point_alias", "alias": name, "reference": f"acme/aliased-{at}"},
        spread=SPREADS[at],
    )
    assert sum("refused" in one for one in outcome) == 1
    assert outcome in (
        [{"number": "1.0.0"}, {"refused": ["CONFLICT"]}],
        [{"refused": ["CONFLICT"]}, {"alias": name}],
    )


def test_floating_reference_is_pinned_to_the_newest_version_at_commit(writers: WriterPool) -> None:
    parent, children = "acme/moving", ("acme/follower-0", "acme/follower-1")
    publish(writers, parent, {**LLVM, "num-cores": 100})
    parents = [{**LLVM, "num-cores": cores} for cores in range(1, 13)]
    bodies = [{"tag": parent, "hardware": {"model": str(at)}} for at in range(8)]
    writers.together(
        {"job": "publish_many", "tag": parent, "targets": parents},
        *({"job": "publish_many", "tag": child, "targets": bodies} for child in children),
    )
    stored = writers.together(*({"job": "versions", "tag": child} for child in children))
    lineage = {version["exact"]: version["lineage"] for each in stored for version in each}
    newest = ""
    for _, subject in events(writers):
        if subject.startswith(f"{parent}@"):
            newest = subject
        elif subject in lineage:
            assert lineage[subject] == [newest]
    assert len(lineage) == 2 * len(bodies)
