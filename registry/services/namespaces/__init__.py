"""Namespaces and their members."""
