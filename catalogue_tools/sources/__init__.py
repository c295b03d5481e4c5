"""Reads clones of the upstream projects that tables of facts come from.

One module per source, which reduces the project's files to the rows that the catalogue uses.
"""
