"""Sentences about targets, from their own values."""
