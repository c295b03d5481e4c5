"""Two writes of which one must fail, or which must happen in one order."""

from typing import Any

import pytest

from tests.services.races.writer_pool import WriterPool

LLVM = {"kind": "llvm", "mcpu": "haswell"}
DELAYS = [0, 0, 0.001, 0.002, 0.004, 0.008, 0.016]  # seconds between the writes


def publish(writers: WriterPool, tag: str, target: Any) -> None:
    (result,) = writers.run({"job": "publish_next", "tag": tag, "target": target})
    assert "number" in result


def events(writers: WriterPool) -> list[tuple[str, str]]:
    (rows,) = writers.run({"job": "log", "after": 0})
    return [(action, subject) for _, action, subject in rows]


@pytest.mark.parametrize(
    ("selector", "refusal"), [("@1.0.0", "PARENT_INVALID"), ("", "VERSION_UNKNOWN")]
)
@pytest.mark.parametrize("attempt", range(len(DELAYS)))
def test_no_version_inherits_from_a_yanked_version(
    writers: WriterPool, selector: str, refusal: str, attempt: int
) -> None:
    parent, child = f"acme/parent{len(selector)}-{attempt}", f"acme/child{len(selector)}-{attempt}"
    publish(writers, parent, LLVM)
    published, yanked = writers.run(
        {"job": "publish_first", "tag": child, "target": {"tag": parent + selector}},
        {"job": "yank", "reference": f"{parent}@1.0.0"},
        delay=DELAYS[attempt],
    )
    assert yanked == {"yanked": f"{parent}@1.0.0"}
    publication = ("version.published", f"{child}@1.0.0")
    withdrawal = ("version.yanked", f"{parent}@1.0.0")
    log = events(writers)
    if "number" in published:
        assert log.index(publication) < log.index(withdrawal)
    else:
        assert refusal in published["refused"]
        assert publication not in log


@pytest.mark.parametrize("attempt", range(len(DELAYS)))
def test_one_of_two_references_that_close_a_cycle_wins(writers: WriterPool, attempt: int) -> None:
    left, right = f"acme/left-{attempt}", f"acme/right-{attempt}"
    for tag in (left, right):
        publish(writers, tag, LLVM)
    results = writers.run(
        {"job": "publish_next", "tag": left, "target": {"tag": right, "num-cores": 2}},
        {"job": "publish_next", "tag": right, "target": {"tag": left, "num-cores": 4}},
        delay=DELAYS[attempt],
    )
    (refused,) = [result for result in results if "refused" in result]
    (published,) = [result for result in results if "number" in result]
    assert "CYCLE" in refused["refused"]
    assert published["number"] == "2.0.0"


@pytest.mark.parametrize("attempt", range(len(DELAYS)))
def test_one_of_two_references_that_close_a_cycle_over_a_third_tag_wins(
    writers: WriterPool, attempt: int
) -> None:
    """Neither write changes the references of the other, but together they close a cycle."""
    top, middle, bottom = f"acme/top-{attempt}", f"acme/middle-{attempt}", f"acme/bottom-{attempt}"
    publish(writers, bottom, LLVM)
    publish(writers, middle, {"tag": bottom})
    publish(writers, top, LLVM)
    results = writers.run(
        {"job": "publish_next", "tag": bottom, "target": {"tag": top, "num-cores": 4}},
        {"job": "publish_next", "tag": top, "target": {"tag": middle, "num-cores": 2}},
        delay=DELAYS[attempt],
    )
    (refused,) = [result for result in results if "refused" in result]
    assert "CYCLE" in refused["refused"]


@pytest.mark.parametrize("attempt", range(len(DELAYS)))
def test_name_becomes_either_a_tag_or_an_alias(writers: WriterPool, attempt: int) -> None:
    publish(writers, f"acme/aliased-{attempt}", LLVM)
    name = f"acme/name-{attempt}"
    results = writers.run(
        {"job": "publish_first", "tag": name, "target": LLVM},
        {"job": "point_alias", "alias": name, "reference": f"acme/aliased-{attempt}"},
        delay=DELAYS[attempt],
    )
    assert sum("refused" in result for result in results) == 1
    assert results in (
        [{"number": "1.0.0"}, {"refused": ["CONFLICT"]}],
        [{"refused": ["CONFLICT"]}, {"alias": name}],
    )


def test_floating_reference_is_pinned_to_the_newest_version_at_commit(writers: WriterPool) -> None:
    parent, children = "acme/moving", ("acme/follower-0", "acme/follower-1")
    publish(writers, parent, {**LLVM, "num-cores": 100})
    parents = [{**LLVM, "num-cores": cores} for cores in range(1, 13)]
    bodies = [{"tag": parent, "hardware": {"model": str(index)}} for index in range(8)]
    writers.run(
        {"job": "publish_many", "tag": parent, "targets": parents},
        *({"job": "publish_many", "tag": child, "targets": bodies} for child in children),
    )
    stored = writers.run(*({"job": "versions", "tag": child} for child in children))
    lineage = {version["exact"]: version["lineage"] for rows in stored for version in rows}
    newest = ""
    for _, subject in events(writers):
        if subject.startswith(f"{parent}@"):
            newest = subject
        elif subject in lineage:
            assert lineage[subject] == [newest]
    assert len(lineage) == 2 * len(bodies)
