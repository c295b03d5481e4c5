"""Tests of simultaneous yanks and aliases: one is written, the others are refused."""

import pytest

from tests.services.races.writer_pool import SIZE, WriterPool

LLVM = {"kind": "llvm", "mcpu": "haswell"}


@pytest.mark.parametrize("at", range(4))
def test_one_of_several_yanks_is_written(writers: WriterPool, at: int) -> None:
    tag = f"acme/doubtful-{at}"
    (made,) = writers.together({"job": "publish_next", "tag": tag, "target": LLVM})
    assert "number" in made
    job = {"job": "yank", "reference": f"{tag}@1.0.0"}
    outcome = writers.together(*[job] * SIZE)
    assert sorted(outcome, key=str) == [
        *[{"refused": ["CONFLICT"]}] * (SIZE - 1),
        {"yanked": f"{tag}@1.0.0"},
    ]
    (events,) = writers.together({"job": "log", "after": 0})
    assert [action for _, action, subject in events if subject == f"{tag}@1.0.0"] == [
        "version.published",
        "version.yanked",
    ]


@pytest.mark.parametrize("at", range(4))
def test_one_of_several_writes_creates_an_alias(writers: WriterPool, at: int) -> None:
    alias = f"acme/spelling-{at}"
    for which in range(SIZE):
        (made,) = writers.together(
            {"job": "publish_next", "tag": f"acme/spelt-{at}-{which}", "target": LLVM}
        )
        assert "number" in made
    outcome = writers.together(
        *(
            {"job": "point_alias", "alias": alias, "reference": f"acme/spelt-{at}-{which}"}
            for which in range(SIZE)
        )
    )
    assert outcome == [{"alias": alias}] * SIZE
    (events,) = writers.together({"job": "log", "after": 0})
    assert [action for _, action, subject in events if subject == alias] == ["alias.pointed"] * SIZE
