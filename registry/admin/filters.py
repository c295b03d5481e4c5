"""Filters of lists: a few choices to click, or a name to type; none lists all values of a table."""

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
    """One of a few values: say which in `values`, and what each leaves in `narrowed`."""

    template = "registry/admin/filter_choice.html"
    stands_above = False  # the list, as a line of links, in place of beside it

    def values(self) -> Iterable[tuple[str, str]]:
        """Values as URLs write them, with their words."""
        raise NotImplementedError

    def narrowed(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        """The rows that have a value."""
        raise NotImplementedError

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[Any, str]]:
        """What the panel lists."""
        return list(self.values())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """All rows, or those that have the chosen value; none for a value there is not."""
        value = self.value()
        if value is None:
            return queryset
        known = {key for key, _ in self.lookup_choices}
        return self.narrowed(queryset, value) if value in known else queryset.none()


class TextFilter(admin.SimpleListFilter):
    """A name that people type, where there may be too many to choose from."""

    template = "registry/admin/filter_typed.html"
    stands_above = False
    kind = "text"  # of the input
    expected = ""  # how a value is written, where not every text is one

    def is_possible(self, value: str) -> bool:
        """Whether a text can be a value at all."""
        return value.isprintable() and len(value) <= MAX_REFERENCE

    def narrowed(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        """The rows that have a value."""
        raise NotImplementedError

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[Any, str]]:
        """None is listed."""
        return []

    def has_output(self) -> bool:
        """There is always something to type."""
        return True

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """All rows, or those that have the typed value; none for what cannot be a name."""
        value = (self.value() or "").strip()
        if not value:
            return queryset
        return self.narrowed(queryset, value) if self.is_possible(value) else queryset.none()

    def choices(self, changelist: Any) -> Any:
        """What the panel's form holds: the value, and what else is asked for."""
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
    """A day, in UTC."""

    kind = "date"
    expected = "a day as in 2026-11-21"

    def is_possible(self, value: str) -> bool:
        """Whether it is a day; or nothing, which asks for none."""
        return not value.strip() or _day(value) is not None

    def on(self, rows: QuerySet[Any], day: date) -> QuerySet[Any]:
        """The rows that a day leaves."""
        raise NotImplementedError

    def narrowed(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        """The rows that the typed day leaves."""
        day = _day(value)
        return self.on(rows, day) if day else rows.none()


def _day(text: str) -> date | None:
    try:
        return parse_date(text.strip())
    except ValueError:  # of the right form, and in no calendar
        return None


class NamespaceFilter(TextFilter):
    """Rows of one namespace, which is found at `path` from them."""

    title = "namespace"
    parameter_name = "namespace"
    path = "namespace"

    def narrowed(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        """Those that belong to it."""
        return admin_lists.of_namespace(rows, value, self.path)


class TagNamespaceFilter(NamespaceFilter):
    """Rows about the tags of one namespace."""

    path = "tag__namespace"


class KindFilter(ChoiceFilter):
    """Tags by the kind of their newest version."""

    title = "kind"
    parameter_name = "kind"
    path = "entry"

    def values(self) -> list[tuple[str, str]]:
        """Every kind that a target can have."""
        return [(kind, kind) for kind in admin_lists.target_kinds()]

    def narrowed(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        """Those of it."""
        return admin_lists.of_kind(rows, value, self.path)


class ActorFilter(TextFilter):
    """Rows by who acted."""

    title = "who acted"
    parameter_name = "actor"
    path = "actor"

    def narrowed(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        """Those of one person."""
        return admin_lists.of_user(rows, value, self.path)
