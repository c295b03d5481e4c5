"""Simultaneous yanks and aliases: one is written, the others are rejected."""

import pytest

from tests.services.races.writer_pool import SIZE, WriterPool

LLVM = {"kind": "llvm", "mcpu": "haswell"}


@pytest.mark.parametrize("attempt", range(4))
def test_one_of_several_yanks_is_written(writers: WriterPool, attempt: int) -> None:
    tag = f"acme/doubtful-{attempt}"
    (result,) = writers.run({"job": "publish_next", "tag": tag, "target": LLVM})
    assert "number" in result
    job = {"job": "yank", "reference": f"{tag}@1.0.0"}
    results = writers.run(*[job] * SIZE)
    assert sorted(results, key=str) == [
        *[{"refused": ["CONFLICT"]}] * (SIZE - 1),
        {"yanked": f"{tag}@1.0.0"},
    ]
    (events,) = writers.run({"job": "log", "after": 0})
    assert [action for _, action, subject in events if subject == f"{tag}@1.0.0"] == [
        "version.published",
        "version.yanked",
    ]


@pytest.mark.parametrize("attempt", range(4))
def test_one_of_several_writes_creates_an_alias(writers: WriterPool, attempt: int) -> None:
    alias = f"acme/spelling-{attempt}"
    for index in range(SIZE):
        (result,) = writers.run(
            {"job": "publish_next", "tag": f"acme/spelt-{attempt}-{index}", "target": LLVM}
        )
        assert "number" in result
    results = writers.run(
        *(
            {"job": "point_alias", "alias": alias, "reference": f"acme/spelt-{attempt}-{index}"}
            for index in range(SIZE)
        )
    )
    assert results == [{"alias": alias}] * SIZE
    (events,) = writers.run({"job": "log", "after": 0})
    assert [action for _, action, subject in events if subject == alias] == ["alias.pointed"] * SIZE
