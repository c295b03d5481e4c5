"""List filters: choices to click or a name to type; none loads all values of a table."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.dateparse import parse_date

from registry.domain.reference import MAX_REFERENCE
from registry.services.search import admin_lists


class ChoiceFilter(admin.SimpleListFilter):
    """A filter with a few choices: subclasses define `values` and `narrowed`."""

    template = "registry/admin/filter_choice.html"
    stands_above = False  # the list, as a line of links, in place of beside it

    def values(self) -> Iterable[tuple[str, str]]:
        """Return the values as in URLs, with their labels."""
        raise NotImplementedError

    def narrowed(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
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
        known = {key for key, _ in self.lookup_choices}
        return self.narrowed(queryset, value) if value in known else queryset.none()


class TextFilter(admin.SimpleListFilter):
    """A filter by a typed name, for columns with too many values to list."""

    template = "registry/admin/filter_typed.html"
    stands_above = False
    kind = "text"  # of the input
    expected = ""  # how a value is written, where not every text is one

    def is_possible(self, value: str) -> bool:
        """Tell whether a text can be a value."""
        return value.isprintable() and len(value) <= MAX_REFERENCE

    def narrowed(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
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
        return self.narrowed(queryset, value) if self.is_possible(value) else queryset.none()

    def choices(self, changelist: Any) -> Any:
        """Return the value and the other parameters for the form of the panel."""
        rest = changelist.get_filters_params()
        others = {key: value[-1] for key, value in rest.items() if key != self.parameter_name}
        if changelist.query:
            others["q"] = changelist.query
        yield {
            "name": self.parameter_name,
            "value": self.value() or "",
            "kind": self.kind,
            "expected": self.expected if not self.is_possible(self.value() or "") else "",
            "others": others,
            "without": changelist.get_query_string(remove=[self.parameter_name]),
        }


class DayFilter(TextFilter):
    """A filter by a day in UTC."""

    kind = "date"
    expected = "a day as in 2026-11-21"

    def is_possible(self, value: str) -> bool:
        """Tell whether a text can be a value."""
        return not value.strip() or _day(value) is not None

    def on(self, rows: QuerySet[Any], day: date) -> QuerySet[Any]:
        """Return the rows for a day."""
        raise NotImplementedError

    def narrowed(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        """Return the rows with the given value."""
        day = _day(value)
        return self.on(rows, day) if day else rows.none()


def _day(text: str) -> date | None:
    try:
        return parse_date(text.strip())
    except ValueError:  # of the right form, and in no calendar
        return None


class NamespaceFilter(TextFilter):
    """Filters rows by namespace, found at `path` from the row."""

    title = "namespace"
    parameter_name = "namespace"
    path = "namespace"

    def narrowed(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        """Return the rows with the given value."""
        return admin_lists.of_namespace(rows, value, self.path)


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
        return [(kind, kind) for kind in admin_lists.target_kinds()]

    def narrowed(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        """Return the rows with the given value."""
        return admin_lists.of_kind(rows, value, self.path)


class ActorFilter(TextFilter):
    """Filters rows by the user who acted."""

    title = "who acted"
    parameter_name = "actor"
    path = "actor"

    def narrowed(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        """Return the rows with the given value."""
        return admin_lists.of_user(rows, value, self.path)
