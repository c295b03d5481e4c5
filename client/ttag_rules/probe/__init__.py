"""Reads what tools print about a machine, and tells what follows from it."""
