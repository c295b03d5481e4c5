"""The admin site: its index, its tables and its error handling."""

from __future__ import annotations

from collections.abc import Iterable
from functools import update_wrapper
from typing import Any

from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from registry.admin import error_pages, formatting
from registry.domain.errors import Refused

GROUPS = {  # in a curator's words, in the order of the index
    "Review": ("Proposal",),
    "Catalogue": ("Namespace", "Tag", "Name", "Version", "Kind"),
    "Second thoughts": ("Withdrawal", "Deprecation"),
    "People": ("User", "Membership", "Token"),
    "Log": ("Event",),
}


class Site(admin.AdminSite):
    """Django's admin with the registry's tables only."""

    site_header = "Target Tag Registry"
    site_title = "Target Tag Registry"
    index_title = "Administration"
    enable_nav_sidebar = False
    empty_value_display = formatting.NONE
    index_template = "registry/admin/index.html"

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Register only the registry's tables: others would be written without events.

        Groups among them: rights are roles in namespaces here.
        """
        given = (
            model_or_iterable if isinstance(model_or_iterable, Iterable) else [model_or_iterable]
        )
        ours = [model for model in given if model._meta.app_label == "registry"]
        super().register(ours, admin_class, **options)

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Redirect to the login page of the registry; staff return to where they wanted."""
        wanted = request.GET.get("next", reverse("admin:index"))
        if not request.user.is_authenticated:
            return redirect_to_login(wanted)
        if not self.has_permission(request):
            return self._for_staff_only(request)
        is_ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()})
        return HttpResponseRedirect(wanted if is_ours else reverse("admin:index"))

    def logout(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Redirect to the logout page of the registry."""
        return HttpResponseRedirect(reverse("account_logout"))

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Redirect to the password page of the registry."""
        return HttpResponseRedirect(reverse("account_change_password"))

    def _for_staff_only(self, request: HttpRequest) -> HttpResponse:
        """Return the page for signed-in users who are not staff."""
        again = redirect_to_login(request.GET.get("next", reverse("admin:index"))).url
        context = {**self.each_context(request), "title": "For staff only", "again": again}
        return render(request, "registry/admin/not_staff.html", context, status=403)

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Wrap a view so that rejected requests get an error page."""

        def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            try:
                response: HttpResponse = view(request, *args, **kwargs)
            except Refused as refusal:
                return error_pages.refusal_page(request, refusal, self.each_context(request))
            return response

        return super().admin_view(update_wrapper(answered, view), cacheable)

    def get_app_list(self, request: Any, app_label: str | None = None) -> list[Any]:
        """The tables that somebody may see, in groups that a curator knows."""
        built = self._build_app_dict(request, "registry").get("registry", {"models": []})
        shown = {model["object_name"]: self._worded(model) for model in built["models"]}
        groups = (
            {**built, "name": name, "models": [shown[table] for table in tables if table in shown]}
            for name, tables in GROUPS.items()
        )
        return [group for group in groups if group["models"]]

    def _worded(self, model: dict[str, Any]) -> dict[str, Any]:
        shown: Any = self._registry[model["model"]]
        words = {"name": shown.plural, "about": shown.about, "waiting": shown.waiting}
        return {**model, **words, "making": shown.making}

    def app_index(
        self, request: HttpRequest, app_label: str, extra_context: Any = None
    ) -> TemplateResponse:
        """There is one application; its index is the site's."""
        return self.index(request, extra_context)


site = Site()


def default_site() -> Site:
    """Return the site that Django's settings name."""
    return site
