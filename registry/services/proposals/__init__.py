"""Proposals: bodies that people submit, and that curators of the namespace review."""
