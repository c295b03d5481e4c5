"""Readings of targets that importers have read."""

from __future__ import annotations

from registry.domain.identify.places import facts_of_span
from registry.domain.identify.readings import Fact, Reading, Recognised
from registry.domain.importing import Imported
from registry.domain.kinds.kinds import Kinds
from registry.domain.tvm.factories import UNKNOWN

TAG, KIND, MODEL = "tag", "kind", "model"


def target_reading(
    imported: Imported,
    text: str,
    form: Recognised,
    kinds: Kinds,
    *,
    with_kind_alone: bool = False,
) -> Reading | None:
    """Return the reading of a target; nothing if it overrides a tag, or is a word such as `cuda`.

    Other JSON has kinds, too: only those of targets count.

    The name of a tag alone, and a model, are names of the machine.
    """
    body = imported.body
    notes = tuple(note.message for note in imported.notes)
    if isinstance(tag := body.get(TAG), str) and body.keys() == {TAG}:
        start = text.find(tag, form.start, form.end)
        place = (start, start + len(tag)) if start >= 0 else (form.start, form.end)
        return Reading({}, (Fact(f"/{TAG}", *place),), notes, (form,), (tag.partition("@")[0],))
    if body.get(KIND) not in kinds.targets or (body.keys() == {KIND} and not with_kind_alone):
        return None
    model = body.get(MODEL)
    names = (model,) if isinstance(model, str) and model != UNKNOWN else ()
    return Reading(body, facts_of_span(body, text, form), notes, (form,), names)
