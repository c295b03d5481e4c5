"""Hypothesis profiles: `default`, and `thorough` with --thorough.

A thorough run tests the same behaviour with more examples and inputs.
"""

import os

import pytest
from hypothesis import HealthCheck, settings

# Decision 127: each run tries few of them, a thorough run all.
EXAMPLES = {"default": 25, "thorough": 400}  # per property


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--thorough",
        action="store_true",
        help="more examples of each property, more inputs, tests marked thorough, and on"
        " PostgreSQL every test",
    )
    parser.addoption("--system", action="store_true", help="only the tests marked system")


def pytest_configure(config: pytest.Config) -> None:
    """Choose the profile before any test module is imported."""
    for name, examples in EXAMPLES.items():
        settings.register_profile(
            name,
            max_examples=examples,
            deadline=None,
            derandomize=bool(os.environ.get("CI")) and name == "default",
            suppress_health_check=[HealthCheck.too_slow],
        )
    settings.load_profile("thorough" if config.getoption("--thorough") else "default")


def is_thorough() -> bool:
    return settings.get_current_profile_name() == "thorough"


def examples(factor: float = 1) -> int:
    """Return the profile's number of examples, times a factor."""
    return max(1, round(settings().max_examples * factor))
