"""No registry is served: those of these tests lie, or are away."""

import pytest


@pytest.fixture(scope="session")
def registry() -> str:
    """Return an address at which nothing listens."""
    return "http://127.0.0.1:9"
