"""Proposals: bodies submitted for review by the curators of a namespace."""
