"""The number of generated requests, and checks that hold for every response."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from hypothesis import HealthCheck, event, settings

from tests.api.description import mismatches, operation
from tests.profiles import examples

EXAMPLES = examples()  # of one test

# Every run draws the same examples. They share one registry, so each rolls back its writes.
fuzzed = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


@contextmanager
def limit_queries(queries: int) -> Iterator[None]:
    """Fail if the block sends more queries to our tables; savepoints do not count."""
    sent: list[str] = []

    def record(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        sent.extend([sql] if '"registry_' in sql else [])
        return execute(sql, *rest)

    with connection.execute_wrapper(record):
        yield
    assert len(sent) <= queries, sent


def assert_described(method: str, path: str, response: Any) -> None:
    """Fail if a response differs from the OpenAPI document."""
    description = operation(method, path.partition("?")[0])
    result = list(mismatches(description, response.status_code, response.headers, response.content))
    assert not result, (response.content[:300], result)
    event(f"status {response.status_code}")
