"""Checks of targets beyond what the schema of one kind can state."""
