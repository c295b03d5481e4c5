"""Kinds: the schemas of nodes and components, with the facts about each of their options.

A kind is a JSON Schema (2020-12). Every option states `x-consumers`, the compiler components that
read it, and `x-affects-tuning`. Executors, runtimes, flow and hardware are described the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import jsonschema_rs

from registry.domain.document import Json
from registry.domain.errors import Fault
from registry.domain.kinds.schema import (
    DEFS,
    compile_schema,
    integral_float_faults,
    schema_faults,
    unknown_option,
)
from ttag_rules.nodes import is_edit
from ttag_rules.pointer import child

ANNOTATION = "annotation"  # the consumer of facts that only people read

EXECUTOR, RUNTIME, FLOW, HARDWARE, TARGET = "executor", "runtime", "flow", "hardware", "target"
COMPONENTS = frozenset({EXECUTOR, RUNTIME})
MAX_CACHED_OPTIONS = 1024  # names cached for each kind; a body seldom has more than ten
SINGLE_KINDS = frozenset({FLOW, HARDWARE})
UNOFFERED = frozenset({"test"})  # for TVM's own tests; no machine has it

COMMON_OPTIONS: dict[str, dict[str, Any]] = {
    "keys": {
        "$ref": "#/$defs/texts",
        "description": "Keys for the lookup of schedules, in order; they replace the kind's keys.",
        "x-consumers": ["tuning"],
        "x-affects-tuning": True,
    },
    "device": {
        "$ref": "#/$defs/text",
        "description": "One word for the family of devices, such as mali; counts as a key.",
        "x-consumers": ["tuning"],
        "x-affects-tuning": True,
    },
    "model": {
        "$ref": "#/$defs/product",
        "description": "The board, system-on-chip or processor that records were measured on.",
        "x-consumers": [ANNOTATION],
        "x-affects-tuning": True,
    },
    "libs": {
        "$ref": "#/$defs/texts",
        "description": "Kernel libraries that generated code may call, such as cudnn.",
        "x-consumers": ["codegen"],
        "x-affects-tuning": True,
    },
}
KIND_CONSUMERS = {TARGET: "codegen", EXECUTOR: "graph-executor", RUNTIME: "runtime"}


@dataclass(frozen=True, slots=True)
class Option:
    """The facts about one option apart from its type.

    `default` is the value that a compiler assumes if the option is absent; `derived` is the value
    that it computes if the options in `derived_where` have these values. With a value of
    `host_dependent` it inspects the machine that it runs on. None stands for no value.
    """

    name: str
    consumers: frozenset[str]
    affects_tuning: bool  # unknown counts as true
    default: Json = None
    derived: Json = None
    derived_where: Mapping[str, Json] | None = None
    host_dependent: tuple[str | None, ...] = ()
    is_unlisted: bool = False  # accepted because its name matches a pattern
    is_features: bool = False  # LLVM's features, each switched on or off

    @property
    def is_annotation(self) -> bool:
        """True if no compiler component reads the option."""
        return self.consumers <= {ANNOTATION}

    @classmethod
    def of(cls, name: str, schema: Mapping[str, Any]) -> Option:
        """Read an option's annotations from its schema."""
        derived = schema.get("x-derived-default", {})
        return cls(
            name=name,
            consumers=frozenset(schema.get("x-consumers", ())),
            affects_tuning=bool(schema.get("x-affects-tuning", True)),
            default=schema.get("default"),
            derived=derived.get("value"),
            derived_where=derived.get("where"),
            host_dependent=tuple(schema.get("x-host-dependent", ())),
            is_features=schema.get("$ref") == "#/$defs/features",
            is_unlisted=schema.get("x-unlisted", False),
        )


@dataclass(frozen=True)
class Kind:
    """One revision of a kind: its name, and its schema as curators wrote it."""

    name: str
    revision: int
    source: Mapping[str, Any]

    @property
    def role(self) -> str:
        """The role of the kind: `target`, `executor`, `runtime`, `flow` or `hardware`."""
        prefix, slash, _ = self.name.partition("/")
        return prefix if slash or prefix in SINGLE_KINDS else TARGET

    @property
    def description(self) -> str:
        """The description in its schema; empty if there is none."""
        return str(self.source.get("description", ""))

    @property
    def word(self) -> str:
        """The name without its role: the value of `kind` in a body."""
        return self.name.rpartition("/")[2]

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The complete JSON Schema: the source and what the registry adds to every kind."""
        properties: dict[str, Any] = {}
        if consumer := KIND_CONSUMERS.get(self.role):
            properties["kind"] = {
                "const": self.word,
                "x-consumers": [consumer],
                "x-affects-tuning": self.role == TARGET,
            }
        properties |= self.source.get("properties", {})
        if self.role == TARGET:
            properties |= COMMON_OPTIONS
        required = [name for name in ("kind",) if name in properties]
        return {
            **self.source,
            "properties": properties,
            "required": [*required, *self.source.get("required", ())],
            "$defs": DEFS,
        }

    @property
    def default_keys(self) -> tuple[str, ...]:
        """The dispatch keys of a node that states none."""
        return tuple(self.source.get("x-keys", ()))

    @cached_property
    def host_dependent_values(self) -> dict[str, tuple[str | None, ...]]:
        """Values with which a compiler inspects its own host, by option; None if it is absent."""
        return {
            name: option.host_dependent
            for name, option in self.options.items()
            if option.host_dependent
        }

    @cached_property
    def options(self) -> dict[str, Option]:
        """Every option that the schema names."""
        return {name: Option.of(name, schema) for name, schema in self.schema["properties"].items()}

    def option(self, name: str) -> Option | None:
        """Return an option by name, including one that matches a pattern; None if it is unknown."""
        if name in self.options:
            return self.options[name]
        return self._unlisted(name)

    @cached_property
    def _unlisted(self) -> Callable[[str], Option | None]:
        """Look up an option by the pattern of its name; called for every leaf below a flow."""
        patterns: Mapping[str, Any] = self.source.get("patternProperties", {})
        if not patterns:
            return lambda _: None
        names: dict[str, Any] = {pattern: {} for pattern in patterns}
        form = compile_schema({"patternProperties": names, "additionalProperties": False})
        described = Option.of("", next(iter(patterns.values())))

        @lru_cache(maxsize=MAX_CACHED_OPTIONS)
        def option(name: str) -> Option | None:
            return replace(described, name=name) if form.is_valid({name: None}) else None

        return option

    @cached_property
    def _validator(self) -> jsonschema_rs.Validator:
        return compile_schema(self.schema)

    @cached_property
    def _patch_validator(self) -> jsonschema_rs.Validator:
        kept = ("type", "properties", "patternProperties", "additionalProperties", "$defs")
        return compile_schema({key: self.schema[key] for key in kept if key in self.schema})

    def faults(self, value: dict[str, Any], pointer: str) -> list[Fault]:
        """Return the faults of a node's own options, or of a component."""
        faults = list(schema_faults(self._validator, self.schema, value, pointer))
        return faults + list(integral_float_faults(self.schema, value, pointer))

    def accepts_patch(self, value: Mapping[str, Any]) -> bool:
        """Return whether `patch_faults` would be empty, in a fraction of its time."""
        value_after = _apply_to_nothing(value)
        return (
            self._patch_validator.is_valid(value_after)
            and all(self.option(name) for name in value if value[name] is None)
            and not any(integral_float_faults(self.schema, value_after, ""))
        )

    def patch_faults(self, value: Mapping[str, Any], pointer: str) -> list[Fault]:
        """Return the faults of a patch. Nulls, list edits and missing options are valid."""
        value_after = _apply_to_nothing(value)
        faults = list(schema_faults(self._patch_validator, self.schema, value_after, pointer))
        faults += [
            unknown_option(self.name, name, child(pointer, name), self.options)
            for name, item in value.items()
            if item is None and not self.option(name)
        ]
        return faults + list(integral_float_faults(self.schema, value_after, pointer))


def _apply_to_nothing(value: Any) -> Any:
    """Return the result of applying a patch to nothing."""
    if isinstance(value, dict) and is_edit(value):
        return [item for items in value.values() if isinstance(items, list) for item in items]
    if isinstance(value, dict):
        return {key: _apply_to_nothing(item) for key, item in value.items() if item is not None}
    return value


def offered(names: Iterable[str]) -> list[str]:
    """Return the names of kinds that forms and errors offer, sorted."""
    return sorted(set(names) - UNOFFERED)


class Kinds(Mapping[str, Kind]):
    """The revisions of all kinds at one point in time, by name."""

    def __init__(self, kinds: Iterable[Kind]) -> None:
        self._kinds = {kind.name: kind for kind in kinds}

    def __getitem__(self, name: str) -> Kind:
        return self._kinds[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._kinds)

    def __len__(self) -> int:
        return len(self._kinds)

    @cached_property
    def targets(self) -> dict[str, Kind]:
        """The kinds of nodes, by the value of `kind` in a body."""
        return self._with_role(TARGET)

    @cached_property
    def offered(self) -> list[str]:
        """The kinds of nodes that forms offer, sorted."""
        return offered(self.targets)

    @cached_property
    def executors(self) -> dict[str, Kind]:
        """The executors, by the value of `kind` in a body."""
        return self._with_role(EXECUTOR)

    @cached_property
    def runtimes(self) -> dict[str, Kind]:
        """The runtimes, by the value of `kind` in a body."""
        return self._with_role(RUNTIME)

    def components(self, role: str) -> dict[str, Kind]:
        """Return the executors or the runtimes, by the value of `kind` in a body."""
        return self.executors if role == EXECUTOR else self.runtimes

    def _with_role(self, role: str) -> dict[str, Kind]:
        return {kind.word: kind for kind in self._kinds.values() if kind.role == role}
