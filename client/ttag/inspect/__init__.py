"""Reads from headers, notes and attributes what a file was built for. Nothing is executed."""
