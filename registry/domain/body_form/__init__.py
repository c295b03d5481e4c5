"""The form for bodies: fields derived from kinds, and conversion between texts and bodies.

A form begins with a `Start`, which defines its fields. The entries are a dict of texts by pointer,
with an empty pointer for JSON that no field can contain. Every body of a start can be entered:
`texts_to_body(body_to_texts(body, start), start) == body`.

    start = body_form.start_of_kind(kinds, "cuda")
    texts = body_form.body_to_texts({"kind": "cuda", "arch": "sm_87"}, start)  # {"/arch": "sm_87"}
    body_form.texts_to_body(texts, start)
"""

from registry.domain.body_form.bodies import body_to_texts, read_texts, texts_to_body
from registry.domain.body_form.devices import adopt_texts
from registry.domain.body_form.fault_places import field_pointer
from registry.domain.body_form.fields import BodyRole, Field, Group, Start, Widget
from registry.domain.body_form.starts import (
    start_of,
    start_of_kind,
    start_of_mixin,
    start_of_parents,
    start_of_role,
)

__all__ = [
    "BodyRole",
    "Field",
    "Group",
    "Start",
    "Widget",
    "adopt_texts",
    "body_to_texts",
    "field_pointer",
    "read_texts",
    "start_of",
    "start_of_kind",
    "start_of_mixin",
    "start_of_parents",
    "start_of_role",
    "texts_to_body",
]
