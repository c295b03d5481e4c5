"""List filters: links to choices, or an input; none loads all values of a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.dateparse import parse_date

from registry.domain.reference import MAX_REFERENCE
from registry.services.core import row_filters
from registry.services.tags import tag_list


class ChoiceFilter(admin.SimpleListFilter):
    """A filter with a few choices: subclasses define `values` and `filter_rows`."""

    template = "registry/admin/filter_choice.html"
    is_above_list = False  # as tabs instead of in the sidebar

    def values(self) -> Iterable[tuple[str, str]]:
        """Return the values as in URLs, with their labels."""
        raise NotImplementedError

    def filter_rows(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        """Return the rows with the given value."""
        raise NotImplementedError

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[Any, str]]:
        """Return the choices that the panel lists."""
        return list(self.values())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return all rows, the rows with the chosen value, or none for an unknown value."""
        value = self.value()
        if value is None:
            return queryset
        values = {key for key, _ in self.lookup_choices}
        return self.filter_rows(queryset, value) if value in values else queryset.none()


class StateFilter(ChoiceFilter):
    """Filters rows by state, as tabs with counts; by default those in `initial_state`."""

    title = "state"
    parameter_name = "state"
    template = "registry/admin/filter_tabs.html"
    is_above_list = True
    all_states = "all"
    initial_state: str
    labels: Mapping[str, str]  # by state

    def count_rows(self, rows: QuerySet[Any]) -> Mapping[str, int]:
        """Return the number of rows in each state."""
        raise NotImplementedError

    def values(self) -> list[tuple[str, str]]:
        """Return the states and their labels, and one for all."""
        return [*self.labels.items(), (self.all_states, "all")]

    def filter_rows(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        """Return the rows in a state, or all."""
        return rows if value == self.all_states else rows.filter(state=value)

    def value(self) -> str:
        """Return the state that is shown."""
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
                "count": sum(counts.values()) if value == self.all_states else counts[value],
            }


class TextFilter(admin.SimpleListFilter):
    """A filter with an input, for columns with too many values to list."""

    template = "registry/admin/filter_text.html"
    is_above_list = False
    input_type = "text"
    expected = ""  # the form of values, for the error about an invalid one

    def is_valid(self, value: str) -> bool:
        """Return whether a text can be a value."""
        return value.isprintable() and len(value) <= MAX_REFERENCE

    def filter_rows(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        """Return the rows with the given value."""
        raise NotImplementedError

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[Any, str]]:
        """Return the choices that the panel lists."""
        return []

    def has_output(self) -> bool:
        """Return True: the panel always shows its input."""
        return True

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
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


class DayFilter(TextFilter):
    """A filter by a day in UTC."""

    input_type = "date"
    expected = "a date such as 2026-11-21"

    def is_valid(self, value: str) -> bool:
        """Return whether a text can be a value."""
        return not value.strip() or _parse_day(value) is not None

    def filter_by_day(self, rows: QuerySet[Any], day: date) -> QuerySet[Any]:
        """Return the rows for a day."""
        raise NotImplementedError

    def filter_rows(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        """Return the rows with the given value."""
        day = _parse_day(value)
        return self.filter_by_day(rows, day) if day else rows.none()


def _parse_day(text: str) -> date | None:
    try:
        return parse_date(text.strip())
    except ValueError:  # the right form, but not a day of the calendar
        return None


class NamespaceFilter(TextFilter):
    """Filters rows by namespace; `path` is the lookup from a row to it."""

    title = "namespace"
    parameter_name = "namespace"
    path = "namespace"

    def filter_rows(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        """Return the rows with the given value."""
        return row_filters.of_namespace(rows, value, self.path)


class TagNamespaceFilter(NamespaceFilter):
    """Filters rows by the namespace of their tag."""

    path = "tag__namespace"


class KindFilter(ChoiceFilter):
    """Filters tags by the kind of their newest version."""

    title = "kind"
    parameter_name = "kind"
    path = "entry"

    def values(self) -> list[tuple[str, str]]:
        """Return the values as in URLs, with their labels."""
        return [(kind, kind) for kind in tag_list.target_kinds()]

    def filter_rows(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        """Return the rows with the given value."""
        return tag_list.of_kind(rows, value, self.path)


class ActorFilter(TextFilter):
    """Filters rows by user."""

    title = "user"
    parameter_name = "actor"
    path = "actor"

    def filter_rows(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        """Return the rows with the given value."""
        return row_filters.of_user(rows, value, self.path)
