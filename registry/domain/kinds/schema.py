"""JSON Schema 2020-12 with restrictions: closed, local, linear time; and readable errors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NoReturn

import jsonschema_rs

from registry.domain.document import MAX_INTEGER, Json
from registry.domain.errors import Fault, echo
from registry.domain.kinds.option_patterns import PATTERNS
from registry.domain.names.near_names import nearest_names
from ttag_rules.option_patterns import MAX_LENGTH
from ttag_rules.pointer import child

MAX_OPTIONS = 200  # of a kind; the largest real one has 38
MAX_APPLICATORS = 4  # schemas inside schemas
MAX_SUGGESTIONS = 20  # unknown options of a node for which similar names are suggested
MAX_PATTERN = 1 << 18  # bytes that one compiled pattern may take

DIALECT = "https://json-schema.org/draft/2020-12/schema"
OPTION_TEXT = "^[A-Za-z0-9_.,+:=/-][A-Za-z0-9_.,+:=/@-]{0,255}$"  # ends up on command lines
PRODUCT_NAME = "^[A-Za-z0-9_.,+:=/()-]([A-Za-z0-9_.,+:=/@() -]{0,254}[A-Za-z0-9_.,+:=/@()-])?$"

CHOSEN = ("triple", "name", "word")  # patterns that an option of a new kind can refer to

DEFS: dict[str, dict[str, Any]] = {
    **{
        name: {
            "type": "string",
            "pattern": f"^({PATTERNS[name].regex.pattern})$",
            "maxLength": MAX_LENGTH,
        }
        for name in CHOSEN
    },
    "text": {"type": "string", "pattern": OPTION_TEXT},
    "product": {"type": "string", "pattern": PRODUCT_NAME},  # command lines quote it
    "texts": {"type": "array", "items": {"type": "string", "pattern": OPTION_TEXT}},
    "features": {
        "type": "array",
        "items": {"type": "string", "pattern": "^[+-][A-Za-z0-9_.-]{1,255}$"},
    },
    "count": {"type": "integer", "minimum": 0, "maximum": MAX_INTEGER},
    "positive": {"type": "integer", "minimum": 1, "maximum": MAX_INTEGER},
    "url": {
        "type": "string",
        "maxLength": 2048,
        "pattern": "^https://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[!-~]*)?$",
    },
}
PATTERN_DESCRIPTIONS = {
    **{name: PATTERNS[name].expected for name in CHOSEN},
    "text": "letters, digits and _ . , + : = / @ -, at most 256, not beginning with @",
    "product": "letters, digits, inner spaces and _ . , + : = / @ - ( ), at most 256, no @ first",
    "features": "+name or -name",
    "url": "an https URL",
}
SUBSCHEMAS = ("properties", "patternProperties", "dependentSchemas")
APPLICATORS = (
    *("items", "contains", "unevaluatedItems", "not", "if", "then", "else"),
    *("additionalProperties", "propertyNames", "unevaluatedProperties", "contentSchema"),
)
LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")


def compile_schema(schema: Mapping[str, Any]) -> jsonschema_rs.Validator:
    """Compile a schema. Raises `ValueError` if it is invalid or refers to a remote schema."""
    return jsonschema_rs.Draft202012Validator(
        dict(schema),
        retriever=_refuse_remote,
        pattern_options=jsonschema_rs.RegexOptions(size_limit=MAX_PATTERN),
    )


def _refuse_remote(uri: str) -> NoReturn:
    raise ValueError(f"{uri} is not fetched: a kind can only use the registry's own definitions")


def kind_schema_problems(schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each reason why a schema cannot describe a kind."""
    if schema.get("$schema") != DIALECT:
        yield f"$schema is not {DIALECT}"
    if schema.get("type") != "object" or schema.get("additionalProperties") is not False:
        yield "the schema is not that of a closed object (type, additionalProperties)"
    try:
        compile_schema({**schema, "$defs": DEFS})
    except ValueError as error:
        yield f"the schema does not compile: {str(error).splitlines()[0]}"
        return
    yield from _option_problems(schema)
    for reference in sorted(_references(schema)):
        if reference not in {f"#/$defs/{name}" for name in DEFS}:
            yield f"{reference} is not one of the registry's own definitions"
            return
    if _depth(schema) > MAX_APPLICATORS:
        yield f"schemas nest more than {MAX_APPLICATORS} deep"


def _option_problems(schema: Mapping[str, Any]) -> Iterator[str]:
    options = schema.get("properties", {}) | schema.get("patternProperties", {})
    if len(options) > MAX_OPTIONS:
        yield f"{len(options)} options are too many: at most {MAX_OPTIONS}"
    for name, described in options.items():
        option = described if isinstance(described, dict) else {}
        if not isinstance(option.get("x-consumers"), list) or not option["x-consumers"]:
            yield f"{name} does not state its consumers (x-consumers)"
        if option.get("x-affects-tuning") not in (True, False, "unknown"):
            yield f"{name} does not state whether it affects tuning (x-affects-tuning)"


def _references(schema: Any) -> set[str]:
    references = set()
    for _, subschema in _walk(schema, 0):
        references |= {str(subschema[key]) for key in ("$ref", "$dynamicRef") if key in subschema}
    return references


def _depth(schema: Any) -> int:
    return max(depth for depth, _ in _walk(schema, 0))


def _walk(schema: Any, depth: int) -> Iterator[tuple[int, dict[str, Any]]]:
    if not isinstance(schema, dict):
        return
    yield depth, schema
    if depth > MAX_APPLICATORS:
        return
    inner = [schema[key] for key in APPLICATORS if key in schema]
    inner += [item for key in SUBSCHEMAS for item in schema.get(key, {}).values()]
    inner += [item for key in LISTS for item in schema.get(key, ())]
    for subschema in inner:
        yield from _walk(subschema, depth + 1)


def schema_faults(
    validator: jsonschema_rs.Validator, schema: Mapping[str, Any], value: Any, pointer: str
) -> Iterator[Fault]:
    """Yield the faults of a value as readable messages, with pointers that start with `pointer`."""
    for error in validator.iter_errors(value):
        place = pointer
        for token in error.instance_path:
            place = child(place, token)
        yield from _readable_faults(error, schema, place)


def _readable_faults(
    error: jsonschema_rs.ValidationError, schema: Mapping[str, Any], place: str
) -> Iterator[Fault]:
    kind: Any = error.kind
    actual = echo(error.instance)
    subject = actual or "an empty text"
    match kind.name:
        case "additionalProperties":
            owner = _subschema(schema, error.schema_path)
            options, title = owner.get("properties", {}), owner.get("title", "this object")
            for index, name in enumerate(kind.unexpected):
                candidates = options if index < MAX_SUGGESTIONS else ()
                yield unknown_option(title, name, child(place, name), candidates)
        case "required":
            yield Fault(
                place, "OPTION_MISSING", f"the option {kind.property} is missing", kind.property
            )
        case "type":
            expected = " or ".join(kind.types)
            quoted = f'"{actual}"' if isinstance(error.instance, str) else actual
            yield Fault(
                place, "VALUE_TYPE", f"{quoted} is not of type {expected}", expected, actual
            )
        case "enum":
            values = [echo(value) for value in kind.options]
            suggestions = (
                nearest_names(error.instance, values) if isinstance(error.instance, str) else ()
            )
            expected = "one of " + ", ".join(values)
            message = f"{subject} is not {expected}"
            yield Fault(place, "VALUE_UNKNOWN", message, expected, actual, suggestions)
        case "const":
            expected = echo(kind.expected_value)
            yield Fault(place, "VALUE_UNKNOWN", f"{subject} is not {expected}", expected, actual)
        case name if expected := _bound_description(name, kind):
            yield Fault(place, "VALUE_RANGE", f"{subject} is not {expected}", expected, actual)
        case "pattern":
            expected = _pattern_description(kind.pattern)
            yield Fault(place, "VALUE_PATTERN", f"{subject} is not {expected}", expected, actual)
        case _:
            yield Fault(place, "VALUE_INVALID", error.message[:300], kind.name, actual)


def unknown_option(owner: str, name: str, pointer: str, candidates: Iterable[str]) -> Fault:
    """Return the fault for an option that its owner does not have."""
    return Fault(
        pointer,
        "OPTION_UNKNOWN",
        f"{owner} has no option {echo(name)}",
        "a known option",
        echo(name),
        nearest_names(name, candidates),
    )


def _bound_description(keyword: str, kind: Any) -> str:
    """Return a readable form of a keyword that bounds a value; empty for any other keyword."""
    limit = getattr(kind, "limit", None)
    descriptions = {
        "minimum": f"{limit} or more",
        "maximum": f"{limit} or less",
        "exclusiveMinimum": f"more than {limit}",
        "exclusiveMaximum": f"less than {limit}",
        "multipleOf": f"a multiple of {getattr(kind, 'multiple_of', limit)}",
        "minLength": f"text of {limit} characters or more",
        "maxLength": f"text of {limit} characters or less",
        "minItems": f"a list of at least {limit}",
        "maxItems": f"a list of at most {limit}",
        "uniqueItems": "a list without repetition",
    }
    return descriptions.get(keyword, "")


def _pattern_description(pattern: str) -> str:
    for name, description in PATTERN_DESCRIPTIONS.items():
        definition = DEFS[name]
        if pattern in (definition.get("pattern"), definition.get("items", {}).get("pattern")):
            return description
    return f"text of the form {pattern}"


def _subschema(schema: Any, path: list[str | int]) -> dict[str, Any]:
    for token in path[:-1]:
        schema = schema[token]
    return schema if isinstance(schema, dict) else {}


def resolve_ref(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a schema, or the registry's definition that it refers to."""
    return DEFS[schema["$ref"].removeprefix("#/$defs/")] if "$ref" in schema else schema


def integral_float_faults(schema: Any, value: Json, pointer: str) -> Iterator[Fault]:
    """Yield faults for values such as `4.0` for an integer, which JSON Schema accepts."""
    if not isinstance(schema, dict) or not isinstance(value, float | dict | list):
        return
    schema = resolve_ref(schema)
    if isinstance(value, float) and value.is_integer() and schema.get("type") == "integer":
        actual = echo(value)
        yield Fault(pointer, "VALUE_TYPE", f"{actual} is not of type integer", "integer", actual)
    elif isinstance(value, dict):
        for key, item in value.items():
            inner = schema.get("properties", {}).get(key) or schema.get("additionalProperties")
            yield from integral_float_faults(inner, item, child(pointer, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from integral_float_faults(schema.get("items"), item, child(pointer, index))
