"""Kinds and their revisions."""
