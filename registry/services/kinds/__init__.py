"""Kinds: their current revisions, and new ones."""
