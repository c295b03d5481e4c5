"""A pytest plugin: databases are copied from templates that the code without mutants has made.

Otherwise each mutant would migrate and load new ones, which takes longer than most of its tests.
"""

from tests import databases

databases.key = lambda: "without-mutants"  # type: ignore[assignment]
