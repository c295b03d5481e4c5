"""Kinds: their schemas, revisions, and the options that they describe."""
