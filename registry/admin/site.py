"""The administrators' site: what its index shows, whose tables it has, how it says no."""

from __future__ import annotations

from collections.abc import Iterable
from functools import update_wrapper
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from registry.admin import refusals, shown
from registry.domain.errors import Refused

GROUPS = {  # in a curator's words, in the order of the index
    "Catalogue": ("Namespace", "Tag", "Name", "Version", "Kind"),
    "Second thoughts": ("Withdrawal", "Deprecation"),
    "People": ("User", "Membership", "Token"),
    "Log": ("Event",),
}


class Site(admin.AdminSite):
    """Django's admin, showing the registry's tables only."""

    site_header = "Target Tag Registry"
    site_title = "Target Tag Registry"
    index_title = "Administration"
    enable_nav_sidebar = False
    empty_value_display = shown.NONE
    index_template = "registry/admin/index.html"
    login_template = "registry/admin/login.html"
    logout_template = "registry/admin/logged_out.html"
    password_change_template = "registry/admin/password_change.html"  # noqa: S105 - a path
    password_change_done_template = "registry/admin/password_changed.html"  # noqa: S105 - a path

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Take the registry's tables: those of other applications would be written without events.

        Groups among them: rights are roles in namespaces here.
        """
        given = (
            model_or_iterable if isinstance(model_or_iterable, Iterable) else [model_or_iterable]
        )
        ours = [model for model in given if model._meta.app_label == "registry"]
        super().register(ours, admin_class, **options)

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Say why, wherever a service refuses and no form is there to say it."""

        def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            try:
                response: HttpResponse = view(request, *args, **kwargs)
            except Refused as refusal:
                return refusals.page(request, refusal, self.each_context(request))
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
        return {**model, "name": shown.plural, "about": shown.about, "making": shown.making}

    def app_index(
        self, request: HttpRequest, app_label: str, extra_context: Any = None
    ) -> TemplateResponse:
        """There is one application; its index is the site's."""
        return self.index(request, extra_context)


site = Site()


def the_site() -> Site:
    """The one site: Django's settings for the admin name what makes it."""
    return site
