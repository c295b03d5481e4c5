"""The base of all tables in the admin: read-only rows, and actions that call services."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.functional import cached_property

from registry.actions.action_form import ActionForm, Outcome
from registry.admin import formatting
from registry.domain.errors import Code, Refused
from registry.http import reauthentication

MAX_COUNTED = 10_000  # rows of a list; a count reads every row


class BoundedPaginator(Paginator):
    """A paginator that counts up to a bound, or one page beyond the requested one."""

    def __init__(self, rows: Any, per_page: int, *, page_number: int = 1) -> None:
        super().__init__(rows, per_page)
        self.bound = max(MAX_COUNTED, (page_number + 1) * per_page)

    @cached_property
    def counted(self) -> int:
        """Return the number of rows, at most one more than the bound."""
        rows: Any = self.object_list
        return int(rows[: self.bound + 1].count())

    @property
    def is_bounded(self) -> bool:
        """Return whether there are more rows than were counted."""
        return self.counted > self.bound

    @property
    def count(self) -> int:
        """Return the number of rows reachable by paging."""
        return min(self.counted, self.bound)


# Decision 023: people change rows by actions only, which call services and log events.
class ReadOnlyModelAdmin(admin.ModelAdmin):
    """A read-only table. Writes go through actions, which call services that append events.

    Django's own forms, bulk actions and log are not used. Pages need no script.
    """

    plural: str
    about: str  # one sentence under the table's name
    rows: Callable[[], QuerySet[Any]] | None = None  # all of the table, from a service
    search_rows: Callable[[QuerySet[Any], str], QuerySet[Any]] | None = None  # as the pages search
    page_template = "registry/admin/row.html"
    action_template = "registry/admin/action.html"
    create_action: type[ActionForm] | None = None
    row_actions: tuple[type[ActionForm], ...] = ()

    actions = None
    list_per_page = 50
    list_max_show_all = 0
    paginator = BoundedPaginator
    show_facets = admin.ShowFacets.NEVER
    show_full_result_count = False
    sortable_by = ()

    @property
    def media(self) -> forms.Media:
        """Return no media: the site's own styles are enough."""
        return forms.Media()

    # All staff have access: `permission_rules` let them do everything in every namespace.

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Return whether the index shows the table."""
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_active and request.user.is_staff)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether an action creates rows."""
        return self.create_action is not None and self.can_act(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: rows are not changed through Django's forms."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: rows are not deleted through Django's forms."""
        return False

    def can_act(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    # Lists.

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return self.rows() if self.rows else super().get_queryset(request)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Return the rows that match a text, by the table's own search if it has one."""
        if self.search_rows is None:
            return super().get_search_results(request, queryset, search_term)
        query = search_term.strip()
        return self.search_rows(queryset, query) if query else queryset, False

    def get_paginator(
        self, request: HttpRequest, queryset: QuerySet[Any], per_page: int, *_: Any, **__: Any
    ) -> BoundedPaginator:
        """Return a paginator that does not count a whole table."""
        text = request.GET.get("p", "")
        page_number = int(text) if text.isascii() and text.isdigit() and len(text) < 8 else 1
        return BoundedPaginator(queryset, per_page, page_number=page_number)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Allow only lookups of the list's filters, so that digests of tokens cannot be probed."""
        filters = self.get_list_filter(request)
        return lookup in {getattr(item, "parameter_name", f"{item}__exact") for item in filters}

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Render the list with our own texts. Raises `Refused` for what PostgreSQL cannot store."""
        choices = {name: value for name, value in request.GET.items() if name.endswith("__exact")}
        if any("\0" in value for value in choices.values()):  # our own filters match nothing
            raise Refused(Code.FILTER_INVALID, "A filter has the character U+0000: no row has.")
        create_action = self.create_action if self.has_add_permission(request) else None
        context = {"title": self.plural, "about": self.about, "create_action": create_action}
        return super().changelist_view(request, {**context, **(extra_context or {})})

    # Pages of rows.

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        return {}

    def pending_count(self) -> str:
        """Return the number of rows that wait for a decision, for the index; empty if unused."""
        return ""

    def event_subject(self, row: Any) -> str:
        """Return the subject of the events about a row."""
        return str(row)

    def available_actions(self, request: HttpRequest, row: Any) -> list[type[ActionForm]]:
        """Return the actions on a row that the user may perform."""
        actions = self.row_actions if self.can_act(request) else ()
        return [action for action in actions if action.is_available(row)]

    def links(self, row: Any) -> dict[str, str]:
        """Return labels and URLs of other pages about the row."""
        return {}

    def heading(self, row: Any) -> str:
        return str(row)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, obj: Any = None, **_: Any
    ) -> HttpResponse:
        """Render Django's read-only fields of a row, with its links and actions."""
        actions = self.available_actions(request, obj)
        context |= {
            **self.base_context(request, obj),
            "title": self.heading(obj),
            "actions": [(action.button, self.action_url(action, obj)) for action in actions],
            "links": self.links(obj),
            **self.page_context(request, obj),
        }
        return TemplateResponse(request, self.page_template, context)

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        row = self.get_object(request, unquote(object_id))
        if row is None or not self.has_view_permission(request):
            return self.redirect_missing(request, object_id)
        return HttpResponseRedirect(formatting.list_url("event", q=self.event_subject(row)))

    def redirect_missing(self, request: HttpRequest, key: object) -> HttpResponse:
        """Redirect to the index with a warning, as Django does from the page of a row."""
        messages.warning(request, f"{self.plural}: there is no row {key}.")
        return HttpResponseRedirect(reverse("admin:index"))

    def base_context(self, request: HttpRequest, row: Any = None) -> dict[str, Any]:
        """Return the context that all pages of the table share."""
        return {
            **self.admin_site.each_context(request),
            "plural": self.plural,
            "list_url": self.list_url,
            "row": row,
            "row_url": self.row_url(row) if row else "",
        }

    def row_url(self, row: Any) -> str:
        return formatting.row_url(str(self.opts.model_name), row.pk)

    @property
    def list_url(self) -> str:
        return formatting.list_url(str(self.opts.model_name))

    # Actions.

    def get_urls(self) -> list[URLPattern]:
        """Add a path for each action in front of Django's own."""
        return [
            path(
                f"<int:pk>/{action.slug}/",
                self.admin_site.admin_view(partial(self.action_view, action=action)),
                name=self._url_name(action),
            )
            for action in self.row_actions
        ] + super().get_urls()

    def _url_name(self, action: type[ActionForm]) -> str:
        return f"registry_{self.opts.model_name}_{action.slug}"

    def action_url(self, action: type[ActionForm], row: Any) -> str:
        return reverse(f"admin:{self._url_name(action)}", args=[row.pk])

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        if self.create_action is None:
            raise PermissionDenied
        return self.action_view(request, action=self.create_action)

    def linked_values(self, request: HttpRequest) -> dict[str, Any]:
        """Return the values with which a link opens the form that creates a row."""
        return {}

    def action_view(
        self, request: HttpRequest, *, action: type[ActionForm], pk: int | None = None
    ) -> HttpResponse:
        """Render an action; on POST perform it and redirect with a message.

        Raises `Refused` before showing a form that could not succeed.
        """
        if not self.can_act(request):
            raise PermissionDenied
        row = self.get_object(request, str(pk)) if pk is not None else None
        if row is None and pk is not None:
            return self.redirect_missing(request, pk)
        actor = reauthentication.actor_of(request)  # `admin_view` lets only staff in
        form = action(row, actor, request.POST if request.method == "POST" else None)
        status = 200
        if form.is_bound:
            if form.needs_password:
                reauthentication.require(actor)
            outcome, status = form.attempt()
            if outcome is not None:
                return self.success_response(request, form, outcome)
        elif row is not None:
            action.refuse(row, actor)
        else:
            form.initial.update(self.linked_values(request))
        return self.render_form(request, form, status)

    def render_form(self, request: HttpRequest, form: ActionForm, status: int) -> HttpResponse:
        context = {
            **self.base_context(request, form.subject),
            "title": form.heading,
            "form": form,
            "form_url": request.path,
        }
        return TemplateResponse(request, self.action_template, context, status=status)

    def success_response(self, request: HttpRequest, form: Any, outcome: Outcome) -> HttpResponse:
        """Redirect after an action: to the row's page, or to the list."""
        messages.success(request, outcome.message)
        row = None if form.removes_row else form.subject
        return HttpResponseRedirect(self.row_url(row) if row else self.list_url)
