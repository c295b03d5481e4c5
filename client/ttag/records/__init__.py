"""Tuning records of MetaSchedule: for which leaves of a target they still apply.

    from ttag import Project
    from ttag.records import Database, check

    report = check(Database.read("records"), ["acme/vision@2"], Project.open())

Reading a database needs no TVM; `open_database` does.
"""

from ttag.records.coverage import Coverage, LeafCoverage, coverage
from ttag.records.database import Database, Record, database_for, folder_name
from ttag.records.leaves import Leaf
from ttag.records.matching import Difference, Match, Report, check
from ttag.records.opening import open_database

__all__ = [
    "Coverage",
    "Database",
    "Difference",
    "Leaf",
    "LeafCoverage",
    "Match",
    "Record",
    "Report",
    "check",
    "coverage",
    "database_for",
    "folder_name",
    "open_database",
]
