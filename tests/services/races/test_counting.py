"""Processes that write the counts of the same tags, while others publish them."""

from tests.services.races.writer_pool import WriterPool

LLVM = {"kind": "llvm", "mcpu": "haswell"}
TAGS = ["acme/resolved-0", "acme/resolved-1", "acme/resolved-2"]
TIMES = 40


def test_no_count_is_lost_and_publishing_goes_on(writers: WriterPool) -> None:
    for tag in TAGS:
        writers.run({"job": "publish_first", "tag": tag, "target": LLVM})
    bodies = [LLVM | {"num-cores": cores} for cores in range(1, 16)]
    results = writers.run(
        {"job": "count_usage", "tags": TAGS, "times": TIMES},
        {"job": "count_usage", "tags": TAGS[::-1], "times": TIMES},
        {"job": "publish_many", "tag": TAGS[0], "targets": bodies},
        {"job": "publish_many", "tag": TAGS[1], "targets": bodies},
    )
    assert results[:2] == [{"left": 0}] * 2
    for result in results[2:]:
        assert result["tries"] == len(result["published"]) == len(bodies)
    (counts,) = writers.run({"job": "read_usage", "tags": TAGS})
    expected = dict.fromkeys(TAGS, 2 * TIMES)
    assert counts == {"daily": expected, "recent": expected}
