"""Kinds over the API."""
