"""Which tests PostgreSQL's run leaves out: those that do not depend on the database.

A module whose tests are all marked is not imported either, which takes longer than some tests.
"""

# Decision 048: PostgreSQL runs what depends on it.

import re

MARK = "any_database"
# The mark in the assignment of a module: alone, or in a list.
OF_MODULE = re.compile(rf"^pytestmark = (?:\[[^]]*)?pytest\.mark\.{MARK}\b", re.MULTILINE)


def is_left_out(source: str) -> bool:
    """Return whether no test of a module depends on the database, by the source of the module."""
    return bool(OF_MODULE.search(source))
