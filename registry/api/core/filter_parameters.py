"""The filters of lists of tags, as OpenAPI describes them."""

from __future__ import annotations

from registry.api.core.openapi_schema import query
from registry.domain.proofs import Compiler
from registry.domain.search.attributes import COMPILES
from registry.domain.search.comparable_facts import RANGE_PARAMETERS
from registry.domain.search.conditions import EXPECTED, MAX_CONDITION, MAX_CONDITIONS
from registry.models import Status
from registry.services.search.facets import ANY, FACETS, STATUS

FACET_DESCRIPTIONS = {
    "namespace": "the first segment of the name",
    "kind": "the kind of the root node, or mixin",
    "vendor": "the vendor of the hardware",
    "arch": "the architecture of the root node: sm_90, gfx942, x86_64",
    "family": "the hardware family",
    STATUS: "active, deprecated, yanked or any; without it, deprecated tags are left out",
}
VALUES = {STATUS: {"enum": ["", *Status.values, ANY]}}


def _range_description(parameter: str) -> str:
    fact, operators = RANGE_PARAMETERS[parameter]
    sign = operators[0] if len(operators) == 1 else "="
    return f"hardware fact {fact.option} {sign} a number, such as {fact.example}"


FILTER_PARAMETERS = (
    *(query(facet, FACET_DESCRIPTIONS[facet], **VALUES.get(facet, {})) for facet in FACETS),
    query(
        COMPILES,
        "a compiler that builds the whole target of the newest version",
        enum=["", *Compiler],
    ),
    query(
        "where",
        f"a condition on an attribute: {EXPECTED}; at most {MAX_CONDITIONS}",
        type={
            "type": "array",
            "items": {"type": "string", "maxLength": MAX_CONDITION},
            "maxItems": MAX_CONDITIONS,
        },
        explode=True,
    ),
    *(query(name, _range_description(name)) for name in RANGE_PARAMETERS),
)
