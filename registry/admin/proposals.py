"""Proposals in the admin: the review queue with evaluations, impact and decisions."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html

from registry.actions.action_form import INVALID, ActionForm
from registry.actions.form_messages import fault_sentence
from registry.actions.proposals import DECISIONS, Accept, AcceptSelected, available_decisions
from registry.admin import filters, formatting
from registry.admin.read_only import ReadOnlyModelAdmin
from registry.admin.site import site
from registry.domain.proposal_states import ProposalState
from registry.http.signed_in import user_of
from registry.models import Proposal
from registry.services.accounts import profiles
from registry.services.core.permissions import Actor
from registry.services.core.text_diff import indented_json
from registry.services.proposals import approvals, bulk_review, listing, review_detail
from registry.services.proposals.bulk_review import SeenRevision
from registry.services.proposals.evaluation import Evaluation
from registry.services.proposals.review_detail import ReviewDetail

STATE_LABELS = {  # with signs, not only color; first what waits for a curator
    ProposalState.OPEN: ("○", "open"),
    ProposalState.CHANGES_ASKED: ("▲", "changes requested"),
    ProposalState.ACCEPTED: ("✓", "accepted"),
    ProposalState.REJECTED: ("✕", "rejected"),
    ProposalState.WITHDRAWN: ("—", "withdrawn"),
}
NUMBER = formatting.number_column(lambda row: f"proposal for {row.tag}")
MAX_CHANGES = 200  # rows of a proposal's page
MAX_EFFECT_CHANGES = 3  # rows of one dependent


class ProposalChangeList(ChangeList):
    """A page of proposals, all evaluated now with a constant number of queries."""

    def get_results(self, request: HttpRequest) -> None:
        """Load the rows with their evaluations and objections to bulk acceptance."""
        super().get_results(request)
        rows: list[Any] = list(self.result_list)
        for row, listed in zip(rows, listing.with_evaluations(rows), strict=True):
            row.listed = listed
            row.objection = bulk_review.objection(listed, SeenRevision(row.pk, row.revision))
        self.result_list = rows
        self.can_accept = any(not row.objection for row in rows)


@admin.register(Proposal, site=site)
class ProposalAdmin(ReadOnlyModelAdmin):
    plural = "Proposals"
    about = "Bodies submitted for review, oldest first; old proposals are not closed automatically"
    rows = staticmethod(review_detail.list_proposals)
    page_template = "registry/admin/proposal.html"
    fields = ("pk",)  # of Django's form; the template has its own
    action_template = "registry/admin/review_action.html"
    change_list_template = "registry/admin/proposals.html"
    row_actions = DECISIONS
    list_display = (
        "checkbox",
        NUMBER,
        formatting.name_column("tag", "tag"),
        "next_version",
        "lints",
        "dependents",
        formatting.column("submitter", lambda row: row.submitter.username),
        formatting.AGE,
        formatting.state_column(STATE_LABELS),
    )
    list_display_links = (NUMBER,)
    list_filter = (
        filters.state_filter(STATE_LABELS, listing.state_counts),
        filters.namespace_filter(),
        filters.user_filter("submitter", "submitter"),
    )
    search_fields = ("tag",)
    search_help_text = "By part of the tag"
    ordering = ("pk",)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return ProposalChangeList

    def pending_count(self) -> str:
        return f"{review_detail.count_waiting() or 'none'} open"

    # Columns of the list.

    @admin.display(description="accept")
    def checkbox(self, row: Any) -> str:
        """Return a checkbox if the proposal can be accepted in bulk, else the reason why not."""
        if row.objection:
            return format_html('<span class="quiet">{}</span>', row.objection)
        return formatting.checkbox(
            "selected", f"{row.pk}:{row.revision}", f"Accept proposal {row.pk}"
        )

    def next_version(self, row: Any) -> str:
        """Return the next version and its bump, or the obstacle; the version if accepted."""
        if row.version is not None:
            return formatting.link(formatting.row_url("version", row.version.pk), row.version.exact)
        evaluation = row.listed.evaluation
        if evaluation is None:
            return formatting.NONE
        if evaluation.draft and evaluation.draft.number and not evaluation.has_moved:
            return f"{evaluation.draft.number} {evaluation.draft.bump}"
        return next(bulk_review.open_questions(evaluation))

    def lints(self, row: Any) -> str:
        evaluation = row.listed.evaluation
        return str(len(evaluation.lints)) if evaluation else formatting.NONE

    def dependents(self, row: Any) -> str:
        evaluation = row.listed.evaluation
        return str(evaluation.dependents) if evaluation else formatting.NONE

    # The page of a proposal.

    def event_subject(self, row: Proposal) -> str:
        return row.tag

    def page_context(self, request: HttpRequest, row: Proposal) -> dict[str, Any]:
        """Return the context: everything a decision depends on."""
        actor = Actor(user_of(request))
        context = _review_context(review_detail.review_detail(row.pk))
        evaluation = context["detail"].evaluation
        decisions = (
            available_decisions(row, actor.user, evaluation) if self.can_act(request) else ()
        )
        return context | {
            "actions": [
                (decision(row, actor).submit_label, self._decision_url(decision, row, evaluation))
                for decision in decisions
            ],
            "state_label": STATE_LABELS[ProposalState(row.state)],
            "is_approved": approvals.is_approved(row, by=actor.user),
            "record": profiles.submitter_record(row),
        }

    # Decision 198: an acceptance publishes what was shown, which is this page's target.
    def _decision_url(
        self, decision: type[ActionForm], row: Proposal, evaluation: Evaluation | None
    ) -> str:
        draft = evaluation.draft if evaluation and decision is Accept else None
        query = f"?{urlencode({'digest': draft.digest})}" if draft else ""
        return self.action_url(decision, row) + query

    def render_form(self, request: HttpRequest, form: ActionForm, status: int) -> HttpResponse:
        """Render an action; an acceptance holds the digest that the page of the proposal had."""
        if isinstance(form, Accept) and not form.is_bound:
            form.hold({"digest": request.GET.get("digest", "")})
        return super().render_form(request, form, status)

    def links(self, row: Proposal) -> dict[str, str]:
        return {
            "Public page": reverse("proposal", args=[row.pk]),
            "All proposals for this tag": formatting.list_url(
                "proposal", q=row.tag, state=filters.ALL_STATES
            ),
            "Events": formatting.list_url("event", q=row.tag),
        }

    # Bulk acceptance.

    def get_urls(self) -> list[URLPattern]:
        """Add the path of bulk acceptance."""
        view = self.admin_site.admin_view(self.accept_view)
        return [path("accept/", view, name="registry_proposal_bulk"), *super().get_urls()]

    def accept_view(self, request: HttpRequest) -> HttpResponse:
        """Ask for confirmation; on POST publish the selected proposals and report each result."""
        if not self.can_act(request):
            raise PermissionDenied
        is_post = request.method == "POST"
        form = AcceptSelected(
            None, Actor(user_of(request)), request.POST if is_post else request.GET
        )
        context = {**self.base_context(request), "title": form.button, "form": form}
        if not form.is_valid():
            return self._confirmation(request, context, INVALID)
        if is_post:
            outcome = form.perform(actor=form.actor, **form.cleaned_data)
            context |= {"title": "Accepted proposals", "outcome": outcome.result}
            return TemplateResponse(request, "registry/admin/bulk_accepted.html", context)
        candidates = form.candidates()
        context["accepted"] = [candidate for candidate in candidates if not candidate.objection]
        context["skipped"] = [candidate for candidate in candidates if candidate.objection]
        return self._confirmation(request, context, 200)

    def _confirmation(
        self, request: HttpRequest, context: dict[str, Any], status: int
    ) -> HttpResponse:
        template = "registry/admin/bulk_accept.html"
        return TemplateResponse(request, template, context, status=status)


def _review_context(detail: ReviewDetail) -> dict[str, Any]:
    draft, proposal_detail = detail.draft, detail.proposal_detail
    changes = draft.diff if draft else ()
    faults = detail.refusal.faults if detail.refusal else ()
    effects = detail.impact.effects if detail.impact else ()
    return {
        "review": detail,
        "faults": [(fault.pointer, fault_sentence(fault)) for fault in faults],
        "detail": proposal_detail,
        "sources": proposal_detail.newest.source_urls,
        "changes": changes[:MAX_CHANGES],
        "more_changes": len(changes[MAX_CHANGES:]),
        "effects": [(effect, effect.diff[:MAX_EFFECT_CHANGES]) for effect in effects],
        "bumps": sorted(detail.impact.counts.items()) if detail.impact else (),
        "near_duplicates": detail.near_duplicates or (),
        "target": indented_json(draft.resolution.text.decode()) if draft else "",
    }
