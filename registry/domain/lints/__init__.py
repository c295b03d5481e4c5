"""Lints: warnings about a target, which never reject it."""
