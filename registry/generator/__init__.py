"""Writes tag files of the catalogue from tables of recorded facts.

Pure Python: it reads `registry/catalogue/facts` and writes `registry/catalogue/generated`.
"""
