"""The first step of the form: a tag, and what its profile starts from."""

from __future__ import annotations

from collections.abc import Mapping

from registry.domain.errors import Code, Fault, refuse_all
from registry.domain.user_text import normalize_lines
from registry.web.proposals.submit import pasted_text
from registry.web.proposals.submit.form_state import FormState

KIND, PARENT, TEXT = "kind", "parent", "text"
LABELS = {KIND: "A kind", PARENT: "A parent", TEXT: "Pasted text"}
FIELDS = {KIND: ["kind"], PARENT: ["parent"], TEXT: ["source", "format"]}
EXCLUSIVE = (PARENT, TEXT)  # a kind beside them is what a select happens to show


def read_start(data: Mapping[str, str]) -> FormState:
    """Return the first step for posted data or query parameters.

    The option that is filled in is chosen if no other is.
    """
    values = {name: data.get(name, "").strip() for name in ("tag", "kind", "parent")}
    values["source"] = normalize_lines(data.get("source", ""))
    values["pasted"] = data.get("pasted", "")
    values["format"] = data.get("format", pasted_text.DETECT)
    values["start_from"] = data.get("start_from", "")
    if values["start_from"] not in LABELS:
        filled = _filled(values) or ([KIND] if values["kind"] else [])
        values["start_from"] = filled[0] if len(filled) == 1 else ""
    return FormState(values)


def chosen_option(state: FormState) -> str:
    """Return the option to start from; empty if none is chosen or filled in.

    Raises `Refused` (REQUEST_INVALID) if fields of another option are filled in as well.
    """
    chosen = state.values["start_from"]
    others = [LABELS[option].lower() for option in _filled(state.values) if option != chosen]
    if others:
        choice = f'"{LABELS[chosen]}" is chosen' if chosen else "nothing is chosen"
        message = f"{choice}, but the form also has {' and '.join(others)}"
        expected = "one starting point: choose it, and clear the fields of the others"
        refuse_all([Fault("/start_from", Code.REQUEST_INVALID, message, expected)])
    return chosen


def _filled(values: Mapping[str, str]) -> list[str]:
    return [option for option in EXCLUSIVE if values[FIELDS[option][0]].strip()]
