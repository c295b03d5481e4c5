"""A registry for a hostile curator, who owns the namespace acme."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.client.publisher import Publisher
from tests.serving import create_token, environment_of, run_server

UNLIMITED = dict.fromkeys(
    ("REGISTRY_RATE_ANONYMOUS", "REGISTRY_RATE_PREVIEW", "REGISTRY_RATE_ACCOUNT"), "none"
)


@contextmanager
def curator(var: Path) -> Iterator[Publisher]:
    """Serve the catalogue with a database in this folder, and yield who publishes there."""
    with run_server(var, UNLIMITED, loaded=True) as server:
        token = create_token(environment_of(var), "publish")
        yield Publisher(f"http://127.0.0.1:{server.port}", token)
