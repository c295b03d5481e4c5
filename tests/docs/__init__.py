"""Checks that the documents are true: examples run, tables and names match the code."""
