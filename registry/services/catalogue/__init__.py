"""Loads the kinds, tags and namespaces that ship with the code."""
