"""How many requests the fuzzing draws, and what holds of every answer."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from hypothesis import HealthCheck, event, settings

from tests.api.description import departures, operation
from tests.profiles import examples

EXAMPLES = examples()  # of one law

# The same in each run. What stands is made once for all examples, each of which undoes its own.
drawn = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


@contextmanager
def at_most(queries: int) -> Iterator[None]:
    """Fail where more queries ask for our tables; what begins and ends transactions is none."""
    sent: list[str] = []

    def noting(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        sent.extend([sql] if '"registry_' in sql else [])
        return execute(sql, *rest)

    with connection.execute_wrapper(noting):
        yield
    assert len(sent) <= queries, sent


def as_described(method: str, path: str, response: Any) -> None:
    """Fail where an answer is not as the OpenAPI document says."""
    said = operation(method, path.partition("?")[0])
    found = list(departures(said, response.status_code, response.headers, response.content))
    assert not found, (response.content[:300], found)
    event(f"status {response.status_code}")
