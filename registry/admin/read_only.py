"""What all tables have in common: rows to look at, and acts that services perform."""

from __future__ import annotations

from functools import partial
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseNotAllowed,
    HttpResponseRedirect,
)
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse

from registry.actions.action_form import ActionForm
from registry.admin import formatting
from registry.admin.paging import BoundedPaginator, requested_page
from registry.services.core.permissions import Actor

SAFE_METHODS = ("GET", "HEAD")


class ReadOnlyModelAdmin(admin.ModelAdmin):
    """A table as staff sees it. Nothing is written here: acts call services, which leave events.

    Django's own forms, bulk actions and log are not used. Pages need no script.
    """

    plural: str
    about: str  # one sentence under the table's name
    page_template: str
    act_template = "registry/admin/act.html"
    making: type[ActionForm] | None = None  # makes a row
    acts: tuple[type[ActionForm], ...] = ()  # on a row

    actions = None
    list_per_page = 50
    list_max_show_all = 0
    paginator = BoundedPaginator
    show_facets = admin.ShowFacets.NEVER
    show_full_result_count = False
    sortable_by = ()

    @property
    def media(self) -> forms.Media:
        """No script and no style but the site's."""
        return forms.Media()

    # Who may: all staff, whom `permissions.RULES` lets do everything in every namespace.

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Whether the index shows the table."""
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whether rows are shown."""
        return bool(request.user.is_active and request.user.is_staff)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whether rows are made, by an act."""
        return self.making is not None and self.may_act(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is changed through Django's forms."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is deleted through Django's forms."""
        return False

    def may_act(self, request: HttpRequest) -> bool:
        """Whether acts are offered and done."""
        return self.has_view_permission(request)

    # Lists.

    def get_paginator(
        self, request: HttpRequest, queryset: QuerySet[Any], per_page: int, *_: Any, **__: Any
    ) -> BoundedPaginator:
        """Pages that do not count a whole table."""
        return BoundedPaginator(queryset, per_page, wanted=requested_page(request.GET.get("p", "")))

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Only what a filter offers: no way to ask about digests of tokens or passwords."""
        offered = self.get_list_filter(request)
        return lookup in {getattr(one, "parameter_name", None) for one in offered}

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """The list, in our words."""
        making = self.making if self.has_add_permission(request) else None
        words = {"title": self.plural, "about": self.about, "making": making}
        return super().changelist_view(request, {**words, **(extra_context or {})})

    # Pages of rows.

    def page(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """What a row's page shows, for its template."""
        return {}

    def waiting(self) -> str:
        """How many rows wait for somebody, for the index; empty for a table where none does."""
        return ""

    def subject_of(self, row: Any) -> str:
        """What the events about a row call it."""
        return str(row)

    def offered(self, request: HttpRequest, row: Any) -> list[type[ActionForm]]:
        """What can be done to a row by who asks."""
        return [act for act in self.acts if self.may_act(request) and act.applies(row)]

    def links(self, row: Any) -> dict[str, str]:
        """Where else the row can be seen: words and URLs."""
        return {}

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """A row's page: it has no form of its own."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        if request.method not in SAFE_METHODS:
            return HttpResponseNotAllowed(SAFE_METHODS)
        row = self.get_object(request, unquote(object_id))
        if row is None:
            return self.gone(request, object_id)
        offered = self.offered(request, row)
        context = {
            **self.context_of(request, row),
            "title": str(row),
            "acts": [(act.button, self.act_url(act, row)) for act in offered],
            "links": self.links(row),
            **self.page(request, row),
        }
        return TemplateResponse(request, self.page_template, context)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        """No row is deleted so."""
        raise PermissionDenied

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        """The events about a row."""
        row = self.get_object(request, unquote(object_id))
        if row is None or not self.has_view_permission(request):
            return self.gone(request, object_id)
        return HttpResponseRedirect(formatting.list_url("event", q=self.subject_of(row)))

    def gone(self, request: HttpRequest, key: object) -> HttpResponse:
        """Back to the list, where there is no such row."""
        messages.warning(request, f"{self.plural} have no row {key}.")
        return HttpResponseRedirect(reverse("admin:index"))

    def context_of(self, request: HttpRequest, row: Any = None) -> dict[str, Any]:
        """What every page of the table needs."""
        return {
            **self.admin_site.each_context(request),
            "plural": self.plural,
            "list_url": self.list_url,
            "row": row,
            "row_url": self.row_url(row) if row else "",
        }

    def row_url(self, row: Any) -> str:
        """The page of a row."""
        return formatting.row_url(str(self.opts.model_name), row.pk)

    @property
    def list_url(self) -> str:
        """The list."""
        return formatting.list_url(str(self.opts.model_name))

    # Acts.

    def get_urls(self) -> list[URLPattern]:
        """One path for each act, before Django's own."""
        return [
            path(
                f"<int:pk>/{act.slug}/",
                self.admin_site.admin_view(partial(self.act_view, act=act)),
                name=self._url_name(act),
            )
            for act in self.acts
        ] + super().get_urls()

    def _url_name(self, act: type[ActionForm]) -> str:
        return f"registry_{self.opts.model_name}_{act.slug}"

    def act_url(self, act: type[ActionForm], row: Any) -> str:
        """Where an act on a row is done."""
        return reverse(f"admin:{self._url_name(act)}", args=[row.pk])

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """The act that makes a row."""
        if self.making is None:
            raise PermissionDenied
        return self.act_view(request, act=self.making)

    def act_view(
        self, request: HttpRequest, *, act: type[ActionForm], pk: int | None = None
    ) -> HttpResponse:
        """Show an act; on POST do it, and say so on the page it leads to."""
        if not self.may_act(request):
            raise PermissionDenied
        row = self.get_object(request, str(pk)) if pk is not None else None
        if row is None and pk is not None:
            return self.gone(request, pk)
        user: Any = request.user  # signed in: the site lets nobody else come here
        form = act(row, Actor(user), request.POST if request.method == "POST" else None)
        status = 200
        if form.is_bound:
            sentence, status = form.attempt()
            if sentence is not None:
                return self.done(request, form, sentence)
        return self.form_page(request, form, status)

    def form_page(self, request: HttpRequest, form: ActionForm, status: int) -> HttpResponse:
        """An act to fill in, with what was typed so far."""
        words = {"title": form.heading, "form": form, "here": request.path}
        context = {**self.context_of(request, form.subject), **words}
        return TemplateResponse(request, self.act_template, context, status=status)

    def done(self, request: HttpRequest, form: Any, sentence: str) -> HttpResponse:
        """Where an act leads: the row's page, or the list."""
        messages.success(request, sentence)
        row = None if form.leads_to_list else form.subject
        return HttpResponseRedirect(self.row_url(row) if row else self.list_url)
