"""TVM's names of machines that have a plainer name here, with the same build."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import read_table
from catalogue_tools.tags import Superseded

INSTANCES = "tvm/aws_tags"
JUDGED = "corrections/other_names"


def tags() -> Iterator[Superseded]:
    """Yield TVM's names of EC2 instances, which inherit from those of AWS, and judged ones."""
    for row in read_table(INSTANCES).rows:
        if "machine" in row and "trn" not in row:
            reason = "The same instance type, by the name that AWS gives it"
            yield Superseded(row["tag"], row["machine"], reason)
    for row in read_table(JUDGED).rows:
        yield Superseded(row["tag"], row["successor"], row["reason"])
