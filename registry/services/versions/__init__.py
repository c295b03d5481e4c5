"""Drafting, publishing, resolving, comparing and yanking versions."""
