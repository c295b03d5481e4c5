"""Resolving a body: inheritance, composition, and the origin of every value."""
