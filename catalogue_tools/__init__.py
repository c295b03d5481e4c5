"""Writes tag files of the catalogue from tables of recorded facts.

Reads `registry/catalogue/facts` and writes `registry/catalogue/generated`. Needs neither settings
nor a database.
"""

import registry  # noqa: F401 - it finds `ttag_rules`
