"""The first step: the form starts from a kind, parents, pasted text, a tag or a proposal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from registry.domain import body_form
from registry.domain.body_form.fault_places import PARENT_CODES
from registry.domain.errors import Code, Fault, Refused, refuse_all, report_errors_at
from registry.domain.reference import Tag as TagName
from registry.services.kinds import kinds
from registry.services.proposals import form_starts
from registry.services.proposals.form_starts import FormStart
from registry.services.versions import checking
from registry.web.proposals.submit import bodies, form_data, pasted_text
from registry.web.proposals.submit.form_data import JSON_MODE
from registry.web.proposals.submit.form_errors import Part
from registry.web.proposals.submit.form_state import FormState
from registry.web.proposals.submit.start_form import KIND, PARENT, TEXT, chosen_option


def form_from_start(state: FormState) -> FormState | None:
    """Return the form to fill in; None if the first step has errors, which are added to it."""
    existing = state.attempt(Part.FIELDS, lambda: find_existing(state))
    option = state.attempt(Part.FIELDS, lambda: chosen_option(state))
    if not (existing and existing.exact):
        state.attempt(Part.FIELDS, lambda: _refuse_no_choice(state, option))
    if existing is None or option is None or state.refusals:
        return None
    return state.attempt(Part.FIELDS, lambda: _form_of(option, state, existing))


def _form_of(option: str, state: FormState, existing: FormStart) -> FormState:
    """Return the form to fill in. Raises `Refused` with faults at fields of the first step."""
    if option == TEXT:
        form = _form_from_text(state, existing)
    elif option == PARENT:
        form = _form_from_parents(state, existing)
    elif existing.exact:
        return form_from_tag(existing)
    else:
        start = body_form.start_of_kind(kinds.current_kinds().kinds, state.values["kind"])
        return bodies.state_with_fields(_new_version(existing), start, {})
    if existing.exact:
        form.notes = [*form.notes, f"{existing.tag} exists. This body would be its next version."]
    return form


def _refuse_no_choice(state: FormState, option: str | None) -> None:
    """Raise `Refused` for a new tag if nothing is chosen, or a kind without its name."""
    if option in ("", KIND) and not state.values["kind"]:
        where = "/kind" if option else "/start_from"
        refuse_all([_missing(where, "a kind", "choose a kind, name a parent, or paste a text")])


def _new_version(existing: FormStart) -> dict[str, str]:
    return form_data.parse_form({"tag": existing.tag, "base": existing.base})


def _form_from_parents(state: FormState, existing: FormStart) -> FormState:
    parents = state.values["parent"].replace(",", " ").split()
    if not parents:
        refuse_all([_missing("/parent", "a parent", "a tag such as arm/soc@1")])
    _refuse_unknown_parents(state.tag_name, parents)
    all_kinds, kind = kinds.current_kinds().kinds, form_starts.kind_of(parents[0])
    from_parents = body_form.start_of_parents(all_kinds, kind)
    texts = {"/tag": "\n".join(parents)}
    return bodies.state_with_fields(_new_version(existing), from_parents, texts)


def find_existing(state: FormState) -> FormStart:
    """Return the tag's newest body. Raises `Refused` with a fault at the tag's field."""
    with report_errors_at("/tag"):
        return form_starts.start_from_tag(state.tag_name)


def form_from_tag(existing: FormStart) -> FormState:
    """Return the form for a new version of a tag."""
    form = bodies.state_with_body(_new_version(existing), existing.source)
    form.notes = [
        f"{existing.tag} exists. The form starts from its newest body, that of {existing.exact}."
    ]
    return form


def form_from_proposal(number: int, existing: FormStart) -> FormState:
    """Return the form for a new revision of a proposal, or to propose a closed one again."""
    values = {
        "tag": existing.tag,
        "base": existing.base,
        "message": existing.message,
        "sources": "\n".join(existing.sources),
    }
    note = f"The form starts from proposal {number}, which is closed. Yours will be a new one."
    if existing.revision:
        values |= {"proposal": str(number), "seen": str(existing.revision)}
        note = (
            f"The form starts from revision {existing.revision} of proposal {number}, the newest."
        )
    form = bodies.state_with_body(form_data.parse_form(values), existing.source)
    form.notes = [note]
    return form


def _refuse_unknown_parents(tag: TagName, parents: Sequence[str]) -> None:
    """Raise `Refused` for parents that cannot be inherited from, with near names.

    What they lack together can be stated in the form.
    """
    try:
        checking.check(tag, json.dumps({"tag": parents}))
    except Refused as refusal:
        faults = [fault for fault in refusal.faults if fault.code in PARENT_CODES]
        if faults:
            refuse_all([replace(fault, pointer="/parent") for fault in faults])


def _form_from_text(state: FormState, existing: FormStart) -> FormState:
    source = state.values["source"]
    if not source.strip():
        is_gone = bool(state.values["pasted"])
        what = "the pasted text, which is kept for an hour only," if is_gone else "a text"
        refuse_all([_missing("/source", what, "a target, as TVM or the registry writes it")])
    pasted = pasted_text.read_pasted(source, state.values["format"], state.tag_name)
    values = _new_version(existing) | {"mode": JSON_MODE, "body": pasted.text}
    if pasted.body is not None:
        form = bodies.state_with_body(values, pasted.body)
    else:
        form = FormState(values)  # as JSON
        with suppress(Refused):  # a check then shows the line of the error
            form = bodies.convert_to_fields(form)
    form.notes = pasted.notes
    return form


def _missing(pointer: str, what: str, expected: str) -> Fault:
    return Fault(pointer, Code.REQUEST_INVALID, f"{what} is missing", expected)
