"""Finds tags by name, facts and attributes."""
