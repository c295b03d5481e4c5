"""A proposal as JSON: in a list, and with its whole history."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from django.urls import reverse

from registry.api import verdicts
from registry.models import Proposal, ProposalRevision, Turn
from registry.services.reading import proposals
from registry.services.reading.proposals import Listed, Sheet
from registry.services.reviewing.judging import Verdict


def row(found: Listed) -> dict[str, Any]:
    """A proposal in a list; what would become of it in a few words, null where it is decided."""
    verdict = found.verdict
    draft = verdict.draft if verdict else None
    return {
        **_head(found.proposal, found.revision),
        "message": found.revision.message,
        "moved": verdict.has_moved if verdict else None,
        "valid": draft is not None if verdict else None,
        "bump": draft.bump if draft else None,
        "lints": len(verdict.lints) if verdict else None,
        "dependents": verdict.dependents if verdict else None,
    }


def sheet(found: Sheet) -> dict[str, Any]:
    """A proposal with all that was said and done."""
    verdict = found.verdict
    return {
        **_head(found.proposal, found.newest),
        "asked": list(found.asked),
        "moved": verdict.has_moved if verdict else None,
        "verdict": _verdict(verdict) if verdict else None,
        "revisions": [_revision(each) for each in found.revisions],
        "history": [_turn(each) for each in found.turns],
    }


def _head(proposal: Proposal, newest: ProposalRevision) -> dict[str, Any]:
    return {
        "number": proposal.pk,
        "url": reverse("proposal", args=[proposal.pk]),
        "tag": proposal.tag,
        "state": proposal.state,
        "submitter": proposal.submitter.username,
        "created": _time(proposal.created),
        "changed": _time(proposal.changed),
        "revision": proposal.revision,
        "base": newest.base or None,
        "version": proposal.version.exact if proposal.version else None,
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    if verdict.draft:
        return verdicts.good(verdict.draft, verdict.lints)
    assert verdict.refusal  # noqa: S101 - one of the two
    return verdicts.bad(verdict.refusal)


def _revision(found: ProposalRevision) -> dict[str, Any]:
    return {
        "number": found.number,
        "base": found.base or None,
        "created": _time(found.created),
        "message": found.message,
        "sources": proposals.sources_of(found),
        "target": json.loads(found.source),
    }


def _turn(found: Turn) -> dict[str, Any]:
    return {
        "act": found.act,
        "by": found.author.username,
        "at": _time(found.created),
        "revision": found.revision,
        "text": found.text,
    }


def _time(found: datetime) -> str:
    return f"{found:%Y-%m-%dT%H:%M:%SZ}"
