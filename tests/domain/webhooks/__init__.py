"""Tests of the rules of webhooks."""
