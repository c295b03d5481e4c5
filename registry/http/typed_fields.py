"""The texts of a form that could not be kept, shown so that their author can copy them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import QueryDict

# Never stashed, never shown.
SECRET_FIELDS = ("password", "password1", "password2", "oldpassword", "again", "code")
# Nobody types these.
TECHNICAL_FIELDS = (
    *("csrfmiddlewaretoken", "do", "act", "to", "mode", "key", "seen", "base", "start_kind"),
    *("previewed", "saves", "expected", "member", "notice", "up_to", "delivery"),
)


@dataclass(frozen=True, slots=True)
class TypedField:
    """A field of a form that was not kept."""

    name: str
    value: str

    @property
    def rows(self) -> int:
        """Return the height of a text area that shows the value."""
        return min(self.value.count("\n") + 1, 12)


def typed_fields(form_data: QueryDict) -> Iterator[TypedField]:
    """Yield the fields with a value that a person can have typed, without secrets."""
    for name, values in form_data.lists():
        if name not in SECRET_FIELDS and name not in TECHNICAL_FIELDS:
            yield from (TypedField(name, value) for value in values if value.strip())
