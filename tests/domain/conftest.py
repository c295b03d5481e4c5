"""What the tests of the rules share."""

import pytest
from hypothesis import HealthCheck, settings

from registry.domain.kinds import Kinds
from tests.domain import builders

settings.register_profile(
    "rules", deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("rules")


@pytest.fixture(scope="session")
def kinds() -> Kinds:
    return builders.KINDS


@pytest.fixture
def library() -> builders.Library:
    return builders.Library()
