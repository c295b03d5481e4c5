"""The guided form: fields made from kinds, texts typed into them, bodies made of these texts.

A form begins with a `Start`, which has the fields. What is typed is a dict of texts by pointer: a
field's own, and the empty one for the JSON that no field can say. Every body of a start can be
said: `body(typed(it, start), start) == it`.

    start = guided.start_of_kind(kinds, "cuda")
    texts = guided.typed({"kind": "cuda", "arch": "sm_87"}, start)    # {"/arch": "sm_87"}
    guided.body(texts, start)
"""

from registry.domain.guided.bodies import body, typed
from registry.domain.guided.fields import Field, Group, Role, Start, Widget
from registry.domain.guided.places import place
from registry.domain.guided.starts import start_of, start_of_kind, start_of_mixin, start_of_parents

__all__ = [
    "Field",
    "Group",
    "Role",
    "Start",
    "Widget",
    "body",
    "place",
    "start_of",
    "start_of_kind",
    "start_of_mixin",
    "start_of_parents",
    "typed",
]
