"""Accounts over the API."""
