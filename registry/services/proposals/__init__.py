"""Proposals: bodies that somebody submits, and that curators of the namespace decide on."""
