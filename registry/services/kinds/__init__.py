"""Kinds: the revisions in force, and new ones."""
