"""List filters: links to choices, or an input; none loads all values of a table.

Columns with choices use Django's own filter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any, TypeVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.dateparse import parse_date

from registry.services.core import row_filters
from registry.services.tags import tag_list
from ttag_rules.names import MAX_REFERENCE

Rows = QuerySet[Any]
F = TypeVar("F", bound=admin.SimpleListFilter)


class ChoiceFilter(admin.SimpleListFilter):
    """A filter with a few choices; `choice_filter` makes one."""

    values: Callable[[], Iterable[tuple[str, str]]]  # as in URLs, with their labels
    filter_rows: Callable[[Rows, str], Rows]  # the rows with a value

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[Any, str]]:
        return list(self.values())

    def queryset(self, request: HttpRequest, queryset: Rows) -> Rows:
        """Return all rows, the rows with the chosen value, or none for an unknown value."""
        value = self.value()
        if value is None:
            return queryset
        values = {key for key, _ in self.lookup_choices}
        return self.filter_rows(queryset, value) if value in values else queryset.none()


# Decision 126: columns and filters are values, not classes for each table.
def choice_filter(
    title: str,
    values: Callable[[], Iterable[tuple[str, str]]] | Iterable[str],
    filter_rows: Callable[[Rows, str], Rows],
    *,
    parameter: str = "",
) -> type[ChoiceFilter]:
    """Return a filter by values, which are their own labels unless a function returns both."""
    pairs = values if callable(values) else lambda: [(value, value) for value in values]
    return _made(ChoiceFilter, title, parameter, values=pairs, filter_rows=filter_rows)


def _made(base: type[F], title: str, parameter: str, **functions: Callable[..., Any]) -> type[F]:
    """Return a filter with a title, the name of its parameter, and the functions that it calls."""
    methods = {name: staticmethod(function) for name, function in functions.items()}
    names = {"title": title, "parameter_name": parameter or title}
    return type(base.__name__, (base,), names | methods)


class StateFilter(ChoiceFilter):
    """Filters rows by state, as tabs with counts; `state_filter` makes one."""

    template = "registry/admin/filter_tabs.html"
    is_above_list = True
    initial_state: str
    count_rows: Callable[[Rows], Mapping[str, int]]  # in each state

    def value(self) -> str:
        return super().value() or self.initial_state

    def choices(self, changelist: Any) -> Any:
        """Return each state with its count under the other filters."""
        rows = changelist.get_queryset(self.request, exclude_parameters=self.expected_parameters())
        counts = self.count_rows(rows)
        for value, label in self.lookup_choices:
            yield {
                "selected": self.value() == value,
                "query_string": changelist.get_query_string({self.parameter_name: value}),
                "display": label,
                "count": sum(counts.values()) if value == ALL_STATES else counts[value],
            }


ALL_STATES = "all"


def state_filter(
    labels: Mapping[Any, tuple[str, str]],  # by state: a sign and a word
    count_rows: Callable[[Rows], Mapping[str, int]],
) -> type[StateFilter]:
    """Return a filter by state; by default, rows in the first state are shown."""
    states = [*((str(state), label) for state, (_, label) in labels.items()), (ALL_STATES, "all")]

    def filter_rows(rows: Rows, state: str) -> Rows:
        return rows if state == ALL_STATES else rows.filter(state=state)

    made = _made(
        StateFilter,
        "state",
        "",
        count_rows=count_rows,
        values=lambda: states,
        filter_rows=filter_rows,
    )
    made.initial_state = states[0][0]
    return made


class TextFilter(admin.SimpleListFilter):
    """A filter with an input, for columns with too many values to list."""

    template = "registry/admin/filter_text.html"
    input_type = "text"
    expected = ""  # the form of values, for the error about an invalid one
    filter_rows: Callable[[Rows, str], Rows]  # the rows with a value

    def is_valid(self, value: str) -> bool:
        """Return whether a text can be a value."""
        return value.isprintable() and len(value) <= MAX_REFERENCE

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[Any, str]]:
        return []

    def has_output(self) -> bool:
        """Return True: the panel always shows its input."""
        return True

    def queryset(self, request: HttpRequest, queryset: Rows) -> Rows:
        """Return all rows, the rows with the chosen value, or none for an unknown value."""
        value = (self.value() or "").strip()
        if not value:
            return queryset
        return self.filter_rows(queryset, value) if self.is_valid(value) else queryset.none()

    def choices(self, changelist: Any) -> Any:
        """Return the value and the other parameters for the form of the panel."""
        all_params = changelist.get_filters_params()
        params = {key: value[-1] for key, value in all_params.items() if key != self.parameter_name}
        if changelist.query:
            params["q"] = changelist.query
        yield {
            "name": self.parameter_name,
            "value": self.value() or "",
            "input_type": self.input_type,
            "expected": self.expected if not self.is_valid(self.value() or "") else "",
            "other_params": params,
            "clear_url": changelist.get_query_string(remove=[self.parameter_name]),
        }


def text_filter(
    title: str, filter_rows: Callable[[Rows, str], Rows], *, parameter: str = ""
) -> type[TextFilter]:
    """Return a filter by a text, which takes the rows and the text to the rows with it."""
    return _made(TextFilter, title, parameter, filter_rows=filter_rows)


class DayFilter(TextFilter):
    """A filter by a day in UTC; `day_filter` makes one."""

    input_type = "date"
    expected = "a date such as 2026-11-21"

    def is_valid(self, value: str) -> bool:
        """Return whether a text can be a value."""
        return not value.strip() or _parse_day(value) is not None


def day_filter(
    title: str, filter_rows: Callable[[Rows, date], Rows], *, parameter: str
) -> type[DayFilter]:

    def rows_of_day(rows: Rows, value: str) -> Rows:
        day = _parse_day(value)
        return filter_rows(rows, day) if day else rows.none()

    return _made(DayFilter, title, parameter, filter_rows=rows_of_day)


def _parse_day(text: str) -> date | None:
    try:
        return parse_date(text.strip())
    except ValueError:  # the right form, but not a day of the calendar
        return None


def namespace_filter(path: str = "namespace") -> type[TextFilter]:
    """Return a filter by namespace; `path` is the lookup from a row to it."""
    return text_filter("namespace", lambda rows, name: row_filters.of_namespace(rows, name, path))


def user_filter(title: str = "user", path: str = "actor") -> type[TextFilter]:
    """Return a filter by account; `path` is the lookup from a row to it, and its parameter."""
    return text_filter(
        title, lambda rows, name: row_filters.of_user(rows, name, path), parameter=path
    )


def kind_filter(title: str = "kind", path: str = "entry") -> type[ChoiceFilter]:
    """Return a filter by the kind of the newest version of the tag at the end of a path."""
    return choice_filter(
        title,
        lambda: [(kind, kind) for kind in tag_list.target_kinds()],
        lambda rows, kind: tag_list.of_kind(rows, kind, path),
        parameter="kind",
    )
