"""Fixtures for accounts and their tokens."""

from tests.trusted_publisher import issuer, publisher

__all__ = ["issuer", "publisher"]  # fixtures
