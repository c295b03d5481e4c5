"""Writes tag files of the catalogue from tables of recorded facts.

Reads `registry/catalogue/facts` and writes `registry/catalogue/generated`. Needs neither settings
nor a database.
"""
