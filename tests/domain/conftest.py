"""Fixtures for the tests of the rules."""

import pytest

from registry.domain.kinds.kinds import Kinds
from tests.domain import builders


@pytest.fixture(scope="session")
def kinds() -> Kinds:
    return builders.KINDS


@pytest.fixture
def library() -> builders.Library:
    return builders.Library()
