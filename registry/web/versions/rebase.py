"""The page that rebases dependents onto a tag: select them, then publish in batches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render

from registry.domain.errors import Code, Refused, echo
from registry.domain.names.choices import invalid_filter
from registry.domain.reference import Reference, Tag as TagName
from registry.http.signed_in import SignedInRequest, is_allowed
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.tags import status
from registry.services.versions import rebasing
from registry.services.versions.impact import REFUSED
from registry.services.versions.rebasing import RebaseStep
from registry.web.core.decorators import login_required_page
from registry.web.core.parameters import takes
from registry.web.versions import impact_rows, rebase_jobs
from registry.web.versions.rebase_jobs import RebaseJob

MAX_ROWS = 200  # on a page, some 500 bytes each
MAX_PAGES = 5  # planning a page includes all previous ones
MAX_LISTED = 200  # published or skipped tags
PAGE = "page"  # the parameter


@dataclass(frozen=True, slots=True)
class RebaseRow:
    """A dependent to rebase."""

    step: RebaseStep
    bump: str
    meaning: str
    can_publish: bool

    @property
    def is_selectable(self) -> bool:
        """Return whether the user can select it; then it is selected by default."""
        return self.can_publish and not self.step.refusal


@login_required_page
@takes(PAGE)
def rebase(request: SignedInRequest, reference: Reference) -> HttpResponse:
    """List the dependents to rebase; while a job runs, show its progress."""
    tag = status.tag_named(reference)
    if tag.text != str(reference):
        return redirect("rebase", tag.text)
    if request.method == "POST":
        return _post(request, tag.text)
    if job := RebaseJob.load(request.session, tag.text):
        return render(request, "registry/versions/progress.html", _progress(job))
    return render(
        request, "registry/versions/rebase.html", _context(request, TagName.parse(tag.text))
    )


def _post(request: SignedInRequest, root: str) -> HttpResponse:
    """Start, continue or abandon a job. Redirects, so that a refresh sends nothing again."""
    button, job = request.POST.get("do", ""), RebaseJob.load(request.session, root)
    if button == "forget":
        rebase_jobs.forget_job(request.session)
    elif button == "continue":
        if job and request.POST.get("done") == str(job.done):
            _advance(request, job)
    elif names := _selected_tags(request, root, button):
        _advance(request, RebaseJob.create(root, names))
    else:
        messages.warning(request, "No tags selected, so nothing was published.")
    response = HttpResponseRedirect(request.path)
    response.status_code = 303
    return response


def _advance(request: SignedInRequest, job: RebaseJob) -> None:
    job.advance(Actor(request.user))
    job.save(request.session)


def _selected_tags(request: SignedInRequest, root: str, button: str) -> list[TagName]:
    """Return the selected tags, or all. Raises `Refused` for invalid tags."""
    if button == "all":
        plan = rebasing.plan_rebase([TagName.parse(root)], limit=rebase_jobs.MAX_TAGS)
        rows = _rows(request, plan.steps)
        return [TagName.parse(row.step.text) for row in rows if row.is_selectable]
    texts = list(dict.fromkeys(request.POST.getlist("tag")))
    if len(texts) > rebase_jobs.MAX_TAGS:
        raise Refused(
            Code.REQUEST_INVALID,
            f"{len(texts)} tags are selected: at most {rebase_jobs.MAX_TAGS} at once.",
        )
    return [TagName.parse(text) for text in texts]


def _context(request: SignedInRequest, name: TagName) -> dict[str, Any]:
    page = _page(request)
    plan = rebasing.plan_rebase([name], limit=page * MAX_ROWS)
    rows = _rows(request, plan.steps[(page - 1) * MAX_ROWS :])
    has_next = not plan.is_complete and page < MAX_PAGES
    return {
        "name": name,
        "rows": rows,
        "selectable_count": sum(row.is_selectable for row in rows),
        "forbidden_namespaces": sorted(
            {row.step.text.partition("/")[0] for row in rows if not row.can_publish}
        ),
        "first": (page - 1) * MAX_ROWS + 1,
        "last": (page - 1) * MAX_ROWS + len(rows),
        "page": page,
        "next": page + 1 if has_next else None,
        "is_complete": plan.is_complete,
        "max_tags": rebase_jobs.MAX_TAGS,
        "circular": plan.circular,
        "section": "tags",
    }


def _rows(request: SignedInRequest, steps: Iterable[RebaseStep]) -> list[RebaseRow]:
    """Return the rows; the permission is checked once for each namespace."""
    can_publish: dict[str, bool] = {}
    rows = []
    for step in steps:
        name, bump = TagName.parse(step.text), step.bump or REFUSED
        if name.namespace not in can_publish:
            can_publish[name.namespace] = is_allowed(request, Action.PUBLISH, name)
        rows.append(RebaseRow(step, bump, impact_rows.meaning(bump), can_publish[name.namespace]))
    return rows


def _page(request: SignedInRequest) -> int:
    text = request.GET.get(PAGE, "1")
    if text not in map(str, range(1, MAX_PAGES + 1)):
        message = f"{PAGE}={echo(text)} is not valid"
        raise invalid_filter(message, f"1 to {MAX_PAGES}", echo(text))
    return int(text)


def _progress(job: RebaseJob) -> dict[str, Any]:
    return {
        "job": job,
        "name": TagName.parse(job.root),
        "skipped": job.skipped[-MAX_LISTED:],
        "published": job.published[-MAX_LISTED:],
        "section": "tags",
    }
