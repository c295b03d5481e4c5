"""Accounts of people and machines, and their tokens."""
