"""How long the fuzzing looks, and what holds of every answer.

FUZZ_EXAMPLES=2000 looks longer than a run of all tests should.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from hypothesis import HealthCheck, event, settings

from tests.api.description import departures, operation

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "40"))  # of one operation or one law
FEW = max(1, EXAMPLES // 5)

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
