"""Says at once that the namespace of a tag does not exist, with near names."""

from __future__ import annotations

from typing import Any

from registry.domain.errors import Refused
from registry.domain.reference import Tag as TagName
from registry.services.namespaces.lookup import require_namespace
from registry.web.proposals.submit.form_state import FormState


def missing_namespace(state: FormState) -> dict[str, Any] | None:
    """Return the namespace of the form's tag if it does not exist, and near names. Two queries.

    None for a tag without a valid name, which has an error of its own.
    """
    if state.values.get("base"):  # the tag has versions
        return None
    try:
        name = TagName.parse(state.values["tag"]).namespace
    except Refused:
        return None
    try:
        require_namespace(name)
    except Refused as refusal:
        return {"name": name, "suggestions": refusal.suggestions}
    return None
