"""The query of the tag list, from its URL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from registry.domain.errors import Refused
from registry.domain.names.choices import check_choice
from registry.domain.reference import Reference
from registry.domain.search.attributes import COMPILES
from registry.domain.search.comparable_facts import RANGE_PARAMETERS, FactOrder
from registry.domain.search.list_columns import COLUMNS
from registry.domain.search.search_terms import has_digit
from registry.services.core.paging import LIMIT
from registry.services.search import query_parameters
from registry.services.search.facets import CATEGORY_POINTER, FACETS
from registry.services.search.orders import Sort
from registry.web.core.filter_links import Parameter
from ttag_rules.selectors import NEWEST

IN_CATEGORY = f"{CATEGORY_POINTER}="  # the start of a condition on the category
# Parameters of the look of the page, which the API does not have, and their values.
VIEW, MAINTAINER = "view", "maintainer"
MEMBERS, EACH = "members", "each"
COLUMN = "column"  # once for each
PARAMETERS = query_parameters.PARAMETERS | {VIEW, MEMBERS, COLUMN}
LISTS = {query_parameters.WHERE, COLUMN}


def list_url(pairs: Sequence[Parameter]) -> str:
    """Return the URL of the list with these parameters, or of all tags."""
    return f"{_path('home')}?{urlencode(pairs)}" if pairs else _path("tags")


def _stated(pairs: Iterable[Parameter]) -> tuple[Parameter, ...]:
    return tuple((name, value) for name, value in pairs if value)


@cache  # a list has some hundred links that differ in their parameters
def _path(name: str) -> str:
    return reverse(name)


def _column_order(name: str) -> tuple[int, str]:
    return ([*COLUMNS].index(name) if name in COLUMNS else len(COLUMNS)), name


@dataclass(frozen=True, slots=True)
class ListQuery:
    """The query of the tag list, from the query string; not validated."""

    text: str
    facts: Mapping[str, str]
    compiler: str
    ranges: Mapping[str, str]
    where: tuple[str, ...]
    sort: str
    limit: str
    is_later_page: bool
    columns: tuple[str, ...] = ()
    view: str = ""
    members: str = ""

    @classmethod
    def of(cls, parameters: QueryDict) -> ListQuery:
        return cls(
            text=parameters.get("q", "").strip(),
            facts={facet: value for facet in FACETS if (value := parameters.get(facet, ""))},
            compiler=parameters.get(COMPILES, ""),
            ranges={name: text for name in RANGE_PARAMETERS if (text := parameters.get(name, ""))},
            where=tuple(filter(None, map(str.strip, parameters.getlist("where")))),
            sort=parameters.get("sort", ""),
            limit=parameters.get(LIMIT, ""),
            is_later_page="cursor" in parameters,
            columns=tuple(sorted({*filter(None, parameters.getlist(COLUMN))}, key=_column_order)),
            view=parameters.get(VIEW, ""),
            members=parameters.get(MEMBERS, ""),
        )

    def check_look(self) -> None:
        """Check the parameters of the look of the page. Raises `Refused` (FILTER_INVALID)."""
        if self.view:
            check_choice(VIEW, self.view, [MAINTAINER])
        if self.members:
            check_choice(MEMBERS, self.members, [EACH])
        for column in self.columns:
            check_choice(COLUMN, column, COLUMNS)

    @property
    def pairs(self) -> tuple[Parameter, ...]:
        """Return all parameters except the cursor, in canonical order."""
        view = ((VIEW, self.view), (MEMBERS, self.members))
        columns = ((COLUMN, column) for column in self.columns)
        return (*self.search, *_stated(view), *columns)

    @property
    def search(self) -> tuple[Parameter, ...]:
        """Return the parameters that the API has too: all but those of the look of the page."""
        where = (("where", condition) for condition in self.where)
        filters = (*self.facts.items(), (COMPILES, self.compiler), *self.ranges.items(), *where)
        return _stated((("q", self.text), *filters, ("sort", self.sort), (LIMIT, self.limit)))

    @property
    def filters(self) -> tuple[Parameter, ...]:
        return tuple(pair for pair in self.pairs if pair[0] != "q")

    @property
    def pairs_without_ranges(self) -> tuple[Parameter, ...]:
        return tuple(pair for pair in self.pairs if pair[0] not in RANGE_PARAMETERS)

    @property
    def pairs_without_columns(self) -> tuple[Parameter, ...]:
        return tuple(pair for pair in self.pairs if pair[0] != COLUMN)

    @property
    def is_for_maintainers(self) -> bool:
        """Return whether the list shows what maintainers look for, instead of facts."""
        return self.view == MAINTAINER

    # Decision 147: what is searched for, or sorted by a fact, is a machine.
    @property
    def folds_families(self) -> bool:
        """Return whether families stand for their members: in a list to look around in."""
        is_by_category = all(text.startswith(IN_CATEGORY) for text in self.where)
        is_by_name = self.order in (Sort.MACHINES, Sort.BEST)
        is_other = self.text or self.ranges or self.members or self.view
        return is_by_category and is_by_name and not is_other

    @property
    def fact_order(self) -> FactOrder | None:
        return FactOrder.parse(self.sort)

    @property
    def is_empty(self) -> bool:
        return not (self.pairs or self.is_later_page)

    @property
    def first_page_url(self) -> str:
        return list_url(self.pairs)

    @property
    def has_number(self) -> bool:
        """Return whether a word of the text has a digit."""
        return has_digit(self.text)

    @property
    def text_only_url(self) -> str:
        return self.url_without(*FACETS, COMPILES, *RANGE_PARAMETERS, "where", "sort", LIMIT)

    @property
    def submit_url(self) -> str:
        """Return the URL of the form that submits what was searched for, in its namespace."""
        namespace = "" if "/" in self.text else self.facts.get("namespace", "")
        return reverse("submit", query={"searched": f"{namespace} {self.text}".strip()})

    @property
    def order(self) -> str:
        """Return the name of the order: what the URL says, or machines first without a text."""
        return self.sort or ("" if self.text else Sort.MACHINES)

    @property
    def _search_with_order(self) -> tuple[Parameter, ...]:
        """Return the parameters of the same list where another order is the default."""
        is_default = self.order != self.sort
        return (*self.search, *([("sort", self.order)] if is_default else []))

    @property
    def api_url(self) -> str:
        return reverse("api:tags", query=self._search_with_order)

    @property
    def csv_url(self) -> str:
        pairs = [pair for pair in self._search_with_order if pair[0] != LIMIT]
        return reverse("tags-csv", query=pairs)

    @property
    def view_url(self) -> str:
        if self.is_for_maintainers:
            return self.url_without(VIEW)
        return self.url_with(VIEW, MAINTAINER)

    @property
    def fitting_columns_url(self) -> str:
        return self.url_without(COLUMN)

    @property
    def members_url(self) -> str:
        """Return the URL of the list with each member of a family, or with families for them."""
        return self.url_with(MEMBERS, EACH) if not self.members else self.url_without(MEMBERS)

    @property
    def version_reference(self) -> Reference | None:
        """Return the search text as a reference if it selects a version, else None."""
        try:
            reference = Reference.parse(self.text)
        except Refused:
            return None
        return None if reference.selector == NEWEST else reference

    def url_with(self, name: str, value: str) -> str:
        others = (pair for pair in self.pairs if pair[0] != name)
        return list_url((*others, (name, value)))

    def url_without(self, *names: str) -> str:
        return list_url([pair for pair in self.pairs if pair[0] not in names])

    def toggled_url(self, name: str, value: str) -> str:
        """Return the URL of the list with a filter, or without it if the list has it."""
        return self.url_without(name) if (name, value) in self.pairs else self.url_with(name, value)

    def url_without_condition(self, condition: str) -> str:
        others = [pair for pair in self.pairs if pair != ("where", condition)]
        return list_url(others)
