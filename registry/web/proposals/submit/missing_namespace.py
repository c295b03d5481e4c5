"""Says at once that the namespace of a tag does not exist, with near names."""

from __future__ import annotations

from dataclasses import dataclass

from registry.domain.errors import Refused
from registry.domain.reference import Tag as TagName
from registry.services.namespaces.lookup import require_namespace
from registry.web.proposals.submit.form_errors import ServiceForm


@dataclass(frozen=True, slots=True)
class MissingNamespace:
    """A namespace that does not exist, and the names of similar ones."""

    name: str
    suggestions: tuple[str, ...]


def missing_namespace(form: ServiceForm) -> MissingNamespace | None:
    """Return the namespace of a form's tag if it does not exist. At most two queries.

    None for a tag without a valid name, which has an error of its own.
    """
    if form.values.get("base"):  # the tag has versions
        return None
    try:
        name = TagName.parse(form.values["tag"]).namespace
    except Refused:
        return None
    try:
        require_namespace(name)
    except Refused as refusal:
        return MissingNamespace(name, refusal.suggestions)
    return None
