"""Proposals in the admin: the review queue with verdicts, consequences and decisions."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse

from registry.actions.action_form import INVALID, ActionForm
from registry.actions.bulk_review import AcceptSelected
from registry.actions.form_messages import fault_sentence
from registry.actions.review import Accept, Reject, RequestChanges
from registry.admin import filters, formatting
from registry.admin.diff_rows import describe_changes
from registry.admin.read_only import ReadOnlyModelAdmin
from registry.admin.site import site
from registry.domain.proposal_states import ProposalState
from registry.models import Proposal
from registry.services.core.permissions import Actor
from registry.services.proposals import bulk_review, listing, review, review_detail
from registry.services.proposals.review_detail import ReviewDetail

WAITING = ProposalState.OPEN  # for a curator; what changes are asked of waits for its submitter
ALL = "all"
WORDS = {  # signs beside the words, never colour alone
    ProposalState.OPEN: ("○", "waiting"),
    ProposalState.CHANGES_ASKED: ("▲", "changes asked"),
    ProposalState.ACCEPTED: ("✓", "accepted"),
    ProposalState.REJECTED: ("✕", "rejected"),
    ProposalState.WITHDRAWN: ("—", "withdrawn"),
}
MAX_DIFFERENCES = 200  # rows of a proposal's page
MOST_OF_EFFECT = 3  # differences of one dependent: the first say what it is about


class StateFilter(filters.ChoiceFilter):
    """Filters proposals by state; by default those waiting for a curator."""

    title = "state"
    parameter_name = "state"
    template = "registry/admin/filter_above.html"
    stands_above = True

    def values(self) -> list[tuple[str, str]]:
        """Every state, and all of them."""
        return [*((str(state), word) for state, (_, word) in WORDS.items()), (ALL, "all")]

    def narrowed(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return rows if value == ALL else review_detail.in_state(rows, [value])

    def value(self) -> str:
        """The state that is shown."""
        return super().value() or WAITING

    def choices(self, changelist: Any) -> Any:
        """Return each state with its count under the other filters."""
        rows = changelist.get_queryset(self.request, exclude_parameters=self.expected_parameters())
        counts = listing.state_counts(rows)
        for value, word in self.lookup_choices:
            yield {
                "selected": self.value() == value,
                "query_string": changelist.get_query_string({self.parameter_name: value}),
                "display": word,
                "count": sum(counts.values()) if value == ALL else counts[str(value)],
            }


class SubmitterFilter(filters.ActorFilter):
    """Filters proposals by submitter."""

    title = "submitter"
    parameter_name = "submitter"
    path = "submitter"


class ProposalChangeList(ChangeList):
    """A page of proposals, all evaluated now with a constant number of queries."""

    def get_results(self, request: HttpRequest) -> None:
        """Load the rows with `listed`, and with `objection`: why it cannot be accepted in bulk."""
        super().get_results(request)
        rows: list[Any] = list(self.result_list)
        actor: Any = request.user
        for row, each in zip(rows, listing.with_verdicts(rows), strict=True):
            row.listed = each
            row.objection = bulk_review.objection(each, actor, seen=row.revision)
        self.result_list = rows
        self.can_accept = any(not row.objection for row in rows)


@admin.register(Proposal, site=site)
class ProposalAdmin(ReadOnlyModelAdmin):
    """The review queue and the page of a proposal."""

    plural = "Proposals"
    about = "Bodies that people submit, oldest first; nothing is closed for being old"
    page_template = "registry/admin/proposal.html"
    act_template = "registry/admin/decide.html"
    change_list_template = "registry/admin/proposals.html"
    acts = (Accept, RequestChanges, Reject)
    list_display = (
        *("tick", "number", "tag_name", "would_be", "lints", "dependents"),
        *("whose", "age", "standing"),
    )
    list_display_links = ("number",)
    list_filter = (StateFilter, filters.NamespaceFilter, SubmitterFilter)
    search_fields = ("tag",)
    search_help_text = "By a part of the tag"
    ordering = ("pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Proposal]:
        """With whose they are, and where."""
        return review_detail.list_proposals()

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return ProposalChangeList

    def waiting(self) -> str:
        """Return how many proposals wait for a curator, for the index."""
        count = review_detail.count_waiting()
        return f"{count} wait{'s' * (count == 1)}" if count else "none waits"

    # The list's columns.

    @admin.display(description="accept")
    def tick(self, row: Any) -> str:
        """Return a checkbox if the proposal can be accepted in bulk."""
        if row.objection:
            return formatting.NONE
        return formatting.tick("ticked", f"{row.pk}:{row.revision}", f"Accept proposal {row.pk}")

    @admin.display(description="number")
    def number(self, row: Proposal) -> str:
        return str(row.pk)

    @admin.display(description="tag")
    def tag_name(self, row: Proposal) -> str:
        """What it is for."""
        return formatting.name(row.tag)

    @admin.display(description="would be")
    def would_be(self, row: Any) -> str:
        """Return the next version and its bump, or why there is none; the version if accepted."""
        if row.version is not None:
            return formatting.link(formatting.row_url("version", row.version.pk), row.version.exact)
        verdict = row.listed.verdict
        if verdict is None:
            return formatting.NONE
        if verdict.draft and verdict.draft.number and not verdict.has_moved:
            return f"{verdict.draft.number} {verdict.draft.bump}"
        return next(bulk_review.open_questions(verdict))

    @admin.display(description="lints")
    def lints(self, row: Any) -> str:
        """How many warnings it draws."""
        verdict = row.listed.verdict
        return str(len(verdict.lints)) if verdict else formatting.NONE

    @admin.display(description="dependents")
    def dependents(self, row: Any) -> str:
        """How many tags are made from its tag."""
        verdict = row.listed.verdict
        return str(verdict.dependents) if verdict else formatting.NONE

    @admin.display(description="submitter")
    def whose(self, row: Proposal) -> str:
        return row.submitter.username

    @admin.display(description="age")
    def age(self, row: Proposal) -> str:
        """Since it was proposed."""
        return formatting.age(row.created)

    @admin.display(description="state")
    def standing(self, row: Proposal) -> str:
        return formatting.standing(*WORDS[ProposalState(row.state)])

    # The page of one.

    def subject_of(self, row: Proposal) -> str:
        """What its events are about."""
        return row.tag

    def offered(self, request: HttpRequest, row: Proposal) -> list[type[ActionForm]]:
        """Leave out accepting one's own proposal where the policy forbids it."""
        actor: Any = request.user
        is_own = review.is_own(row, actor)
        return [act for act in super().offered(request, row) if not (is_own and act is Accept)]

    def page(self, request: HttpRequest, row: Proposal) -> dict[str, Any]:
        """Return the context: everything a decision depends on."""
        actor: Any = request.user
        return weighed(review_detail.review_detail(row.pk)) | {
            "standing": WORDS[ProposalState(row.state)],
            "is_own": review.is_own(row, actor),
        }

    def links(self, row: Proposal) -> dict[str, str]:
        """The public page, others for the tag, the events."""
        return {
            "Public page": reverse("proposal", args=[row.pk]),
            "All for this tag": formatting.list_url("proposal", q=row.tag, state=ALL),
            "Events": formatting.list_url("event", q=row.tag),
        }

    # Many at once.

    def get_urls(self) -> list[URLPattern]:
        """And the page that accepts the ticked."""
        view = self.admin_site.admin_view(self.accept_view)
        return [path("accept/", view, name="registry_proposal_bulk"), *super().get_urls()]

    def accept_view(self, request: HttpRequest) -> HttpResponse:
        """Ask for confirmation; on POST publish the selected proposals and report each result."""
        if not self.may_act(request):
            raise PermissionDenied
        user: Any = request.user
        posted = request.method == "POST"
        form = AcceptSelected(None, Actor(user), request.POST if posted else request.GET)
        context = {**self.context_of(request), "title": form.button, "form": form}
        if not form.is_valid():
            return self._ticked(request, context, INVALID)
        if posted:
            form.perform()
            done = context | {"title": "What came of it", "outcome": form.outcome}
            return TemplateResponse(request, "registry/admin/accepted.html", done)
        looks = form.look()
        plain = [look for look in looks if not look.against]
        rest = [look for look in looks if look.against]
        return self._ticked(request, context | {"plain": plain, "rest": rest}, 200)

    def _ticked(self, request: HttpRequest, context: dict[str, Any], status: int) -> HttpResponse:
        template = "registry/admin/accept_ticked.html"
        return TemplateResponse(request, template, context, status=status)


def weighed(found: ReviewDetail) -> dict[str, Any]:
    """Return the context of a proposal as its page shows it."""
    draft, sheet = found.draft, found.sheet
    rows = describe_changes(draft.diff) if draft else []
    faults = found.refusal.faults if found.refusal else ()
    effects = found.impact.effects if found.impact else ()
    near = [(each.exact, describe_changes(each.changes)) for each in found.near or ()]
    return {
        "weighed": found,
        "faults": [(fault.pointer, fault_sentence(fault)) for fault in faults],
        "sheet": sheet,
        "sources": listing.sources_of(sheet.newest),
        "differences": rows[:MAX_DIFFERENCES],
        "more_differences": len(rows[MAX_DIFFERENCES:]),
        "effects": [(each, describe_changes(each.diff[:MOST_OF_EFFECT])) for each in effects],
        "bumps": sorted(found.impact.counts.items()) if found.impact else (),
        "near": near,
        "target": formatting.pretty(draft.resolution.text.decode()) if draft else "",
    }
