"""How many queries a search takes."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.services.core import memory_cache, usage
from registry.services.search import search_query
from tests.publishing import publish
from tests.services.search.searches import BOARD, search, used

pytestmark = pytest.mark.django_db


TIME_LIMIT_QUERIES = 2 if connection.vendor == "postgresql" else 0  # a savepoint


SEARCHES: list[tuple[str, list[str], dict[str, str], int]] = [
    ("", [], {}, 2),
    ("", [], {"namespace": "acme"}, 3),
    ("", [], {"vendor": "NVIDIA", "arch": "sm_89"}, 2),
    ("", ["keys=cuda"], {}, 6),
    ("", ["keys=cuda"] * 5, {}, 10),
    ("", ["num-cores=987"], {}, 3),
    ("acme board", [], {}, 6),
    ("haswell", [], {}, 8),
    ("acme board", [], {"namespace": "acme"}, 9),
    ("acme board", ["kind=llvm"] * 5, {}, 12),
    ("boadr-1", [], {}, 9),
    ("qqqq", ["kind=llvm"] * 5, {"namespace": "acme"}, 10),
]


def numbers_of_queries(find: Callable[..., object], searches: Sequence[Any]) -> list[int]:
    """Return how many queries each search takes, if no other has left results in memory."""
    numbers = []
    for text, where, facts, _ in searches:
        memory_cache.cache.clear()
        with CaptureQueriesContext(connection) as captured:
            find(text, *where, **facts)
        numbers.append(len(captured) - TIME_LIMIT_QUERIES)
    return numbers


@pytest.mark.usefixtures("acme")
def test_number_of_queries_depends_only_on_the_search() -> None:
    publish("acme/board-1", BOARD)
    few = numbers_of_queries(search, SEARCHES)
    for number in range(2, 30):
        publish(f"acme/board-{number}", BOARD)
    many = numbers_of_queries(search, SEARCHES)
    assert few == many == [expected for *_, expected in SEARCHES]


SEARCHES_FOR_THE_MOST_USED: list[tuple[str, list[str], dict[str, str], int]] = [
    ("", [], {}, 4),  # the used, the others, their entries, and one for facets
    ("", [], {"namespace": "acme"}, 6),
    ("", ["mcpu=haswell"], {}, 5),
    ("acme board", [], {}, 6),
]


@pytest.mark.usefixtures("acme")
def test_number_of_queries_for_the_most_used() -> None:
    publish("acme/board-1", BOARD)
    usage.count("acme/board-1")
    usage.flush()
    few = numbers_of_queries(used, SEARCHES_FOR_THE_MOST_USED)
    for number in range(2, 30):
        publish(f"acme/board-{number}", BOARD)
        usage.count(f"acme/board-{number}", number)
    usage.flush()
    many = numbers_of_queries(used, SEARCHES_FOR_THE_MOST_USED)
    assert few == many == [expected for *_, expected in SEARCHES_FOR_THE_MOST_USED]


@pytest.mark.usefixtures("acme")
@pytest.mark.parametrize(
    ("after", "ranges"),
    [([5, "acme/b"], 1), ([5, "acme/d"], 3), ([1, "acme/c"], 3), ([0, "acme/c"], 1)],
)
def test_later_pages_of_the_most_used_read_a_few_ranges(
    after: list[Any], ranges: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abcdefgh":
        publish(f"acme/{name}", BOARD)
    for name in "abcde":
        usage.count(f"acme/{name}", 5)
    usage.flush()
    monkeypatch.setattr(search_query, "PAGE_SIZE", 2)
    with CaptureQueriesContext(connection) as captured:
        used(after=after)
    entries, facet_counts = 1, 1
    assert len(captured) - TIME_LIMIT_QUERIES == ranges + entries + facet_counts
