"""Reads the event log."""
