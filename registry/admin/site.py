"""The admin site: its index, its tables and its error handling."""

from __future__ import annotations

from collections.abc import Iterable
from functools import update_wrapper
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.response import TemplateResponse
from django.urls import reverse

from registry.actions.form_messages import fault_sentence, suggestion_hint
from registry.admin import formatting
from registry.domain.errors import Refused
from registry.http.caching import CachePolicy, set_policy
from registry.http.next_urls import next_url
from registry.http.problems import PROBLEMS
from registry.http.signed_in import user_of
from registry.http.typed_fields import typed_fields
from registry.services.accounts import users
from registry.services.core import request_ids

GROUPS = {  # of tables, in the order of the index
    "Review": ("Proposal", "NamespaceRequest"),
    "Catalogue": ("Namespace", "Tag", "Name", "Version", "Kind"),
    "Withdrawals": ("Withdrawal", "Deprecation"),
    "People": ("User", "Membership", "Token", "TrustedPublisher"),
    "Log": ("Event",),
}


def refusal_page(request: HttpRequest, refusal: Refused, context: dict[str, Any]) -> HttpResponse:
    """Return the error page for a rejected request."""
    problem = PROBLEMS[refusal.code]
    context = {
        **context,
        "title": problem.title,
        "detail": refusal.detail,
        "hint": suggestion_hint(refusal),
        "faults": [fault_sentence(fault) for fault in refusal.faults],
    }
    return render(request, "registry/admin/error.html", context, status=problem.status)


def _signed_out_page(request: HttpRequest) -> HttpResponse:
    """Return the page for a form that came after its sign-in ended, with what was typed."""
    context = {
        "form_url": request.get_full_path(),
        "typed": list(typed_fields(request.POST)),
        "request_id": request_ids.request_id(),
    }
    response = render(request, "registry/errors/not_kept.html", context, status=403)
    return set_policy(response, CachePolicy.NO_STORE)


class Site(admin.AdminSite):
    """Django's admin with the registry's tables only."""

    site_header = "Target Tag Registry"
    site_title = "Target Tag Registry"
    index_title = "Administration"
    enable_nav_sidebar = False
    empty_value_display = formatting.NONE
    index_template = "registry/admin/index.html"

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Register only the registry's models: others would be written without events.

        That includes Django's groups: rights are roles in namespaces here.
        """
        models = (
            model_or_iterable if isinstance(model_or_iterable, Iterable) else [model_or_iterable]
        )
        own_models = [model for model in models if model._meta.app_label == "registry"]
        super().register(own_models, admin_class, **options)

    def has_permission(self, request: HttpRequest) -> bool:
        """Return whether a user may see the admin: staff, with a second factor if required."""
        return super().has_permission(request) and not self._lacks_factor(request)

    def _lacks_factor(self, request: HttpRequest) -> bool:
        return settings.ADMIN_NEEDS_FACTOR and not users.has_factor(user_of(request))

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Redirect to the login page of the registry, or staff to the requested page."""
        index = reverse("admin:index")
        wanted = request.GET.get("next", index)
        if not request.user.is_authenticated:
            return redirect_to_login(wanted)
        if not super().has_permission(request):
            return self._staff_only_page(request)
        if self._lacks_factor(request):
            context = {**self.each_context(request), "title": "Second factor required"}
            context["next_url"] = wanted
            return render(request, "registry/admin/no_factor.html", context, status=403)
        return HttpResponseRedirect(next_url(request, index))

    def logout(self, request: HttpRequest, extra_context: Any = None) -> Any:
        return HttpResponseRedirect(reverse("account_logout"))

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> Any:
        return HttpResponseRedirect(reverse("account_change_password"))

    def _staff_only_page(self, request: HttpRequest) -> HttpResponse:
        login_url = redirect_to_login(request.GET.get("next", reverse("admin:index"))).url
        context = {**self.each_context(request), "title": "Staff only", "login_url": login_url}
        return render(request, "registry/admin/not_staff.html", context, status=403)

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Wrap a view so that rejected requests get an error page."""

        def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            try:
                response: HttpResponse = view(request, *args, **kwargs)
            except Refused as refusal:
                return refusal_page(request, refusal, self.each_context(request))
            return response

        checked = super().admin_view(update_wrapper(wrapped, view), cacheable)

        def with_input(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method == "POST" and not request.user.is_authenticated:
                return _signed_out_page(request)
            response: HttpResponse = checked(request, *args, **kwargs)
            return response

        return update_wrapper(with_input, checked)

    def get_app_list(self, request: Any, app_label: str | None = None) -> list[Any]:
        """Return the tables that the user may see, in groups."""
        app: dict[str, Any] = next(iter(super().get_app_list(request, "registry")), {"models": []})
        models = {model["object_name"]: self._with_texts(model) for model in app["models"]}
        groups = (
            {**app, "name": name, "models": [models[table] for table in tables if table in models]}
            for name, tables in GROUPS.items()
        )
        return [group for group in groups if group["models"]]

    def _with_texts(self, model: dict[str, Any]) -> dict[str, Any]:
        model_admin: Any = self.get_model_admin(model["model"])
        return {
            **model,
            "name": model_admin.plural,
            "about": model_admin.about,
            "pending_count": model_admin.pending_count,
            "create_action": model_admin.create_action,
        }

    def app_index(
        self, request: HttpRequest, app_label: str, extra_context: Any = None
    ) -> TemplateResponse:
        """Return the index of the site, which has only one application."""
        return self.index(request, extra_context)


site = Site()


def default_site() -> Site:
    """Return the site that Django's settings name."""
    return site
