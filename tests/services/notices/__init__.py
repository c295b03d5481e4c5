"""Tests of news for accounts."""
