"""Readings of pasted texts: machines, notations, and the place of each fact."""
