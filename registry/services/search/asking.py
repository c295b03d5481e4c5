"""What parameters ask for: those of `GET tags`, which are those of the list of tags."""

from __future__ import annotations

from django.http import QueryDict

from registry.domain.conditions import conditions
from registry.domain.errors import Code, Fault, Refused, echo, refuse_all
from registry.domain.near import nearest
from registry.services.reading import cursors
from registry.services.search.facets import FACETS
from registry.services.search.searching import Question, Sort

ONCE = ("q", *FACETS, "sort", cursors.PARAMETER)
PARAMETERS = frozenset({*ONCE, "where"})


def question(parameters: QueryDict) -> Question:
    """Read parameters; an empty one asks for nothing.

    Raises `Refused`: REQUEST_INVALID for what is given twice, FILTER_INVALID for what is no
    condition or no order.
    """
    refuse_all(
        Fault("", Code.REQUEST_INVALID, f"{name} is given twice", f"{name} once", name)
        for name in sorted(ONCE)
        if len(parameters.getlist(name)) > 1
    )
    return Question(
        text=parameters.get("q", ""),
        facts={facet: value for facet in FACETS if (value := parameters.get(facet, ""))},
        where=conditions(filter(None, parameters.getlist("where"))),
        sort=_sort(parameters.get("sort") or Sort.BEST),
    )


def _sort(text: str) -> Sort:
    if text not in Sort.values:
        message = f"there is no order {echo(text)}"
        expected, near = "one of " + ", ".join(Sort.values), nearest(text, Sort.values)
        fault = Fault("", Code.FILTER_INVALID, message, expected, echo(text), near)
        raise Refused(Code.FILTER_INVALID, f"{message}: {expected}.", faults=[fault])
    return Sort(text)
