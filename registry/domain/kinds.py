"""Kinds: the families of nodes, and what the registry knows about each of their options.

A kind is a JSON Schema (2020-12). Every option carries `x-consumers`, the compiler components that
read it, and `x-affects-tuning`. Executors, runtimes, flow and hardware are described the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import jsonschema_rs

from registry.domain.composition import is_edit
from registry.domain.document import Json
from registry.domain.errors import Fault
from registry.domain.pointer import child, tokens
from registry.domain.schema import (
    DEFS,
    compile_schema,
    faults_of,
    integral_floats,
    unknown_option,
)

ANNOTATION = "annotation"  # the consumer that is no compiler component: facts for people

EXECUTOR, RUNTIME, FLOW, HARDWARE, TARGET = "executor", "runtime", "flow", "hardware", "target"
COMPONENTS = frozenset({EXECUTOR, RUNTIME})
MOST_UNLISTED = 1024  # names of a kind that are remembered; a body seldom has more than ten
SINGLE = frozenset({FLOW, HARDWARE})

COMMON: dict[str, dict[str, Any]] = {
    "keys": {
        "$ref": "#/$defs/texts",
        "description": "Names by which schedules are looked up, in order; replace the kind's own.",
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
        "$ref": "#/$defs/text",
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
    """What is known of one option, apart from its type.

    `default` is what a compiler assumes where it is absent; `derived` is what it computes, where
    the options in `derived_where` have these values. None: nothing.
    """

    name: str
    consumers: frozenset[str]
    affects_tuning: bool  # unknown counts as true
    default: Json = None
    derived: Json = None
    derived_where: Mapping[str, Json] | None = None
    is_unlisted: bool = False  # accepted by the form of its name alone

    @property
    def is_annotation(self) -> bool:
        """Whether no compiler component reads it."""
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
            is_unlisted=schema.get("x-unlisted", False),
        )


@dataclass(frozen=True)
class Kind:
    """One revision of a kind: its name and its schema as curators wrote it."""

    name: str
    revision: int
    source: Mapping[str, Any]

    @property
    def role(self) -> str:
        """What it describes: `target`, `executor`, `runtime`, `flow` or `hardware`."""
        prefix, slash, _ = self.name.partition("/")
        return prefix if slash or prefix in SINGLE else TARGET

    @property
    def word(self) -> str:
        """The name without its role: what stands under `kind` in a body."""
        return self.name.rpartition("/")[2]

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The whole JSON Schema: the source, and what the registry adds to every kind."""
        properties: dict[str, Any] = {}
        if consumer := KIND_CONSUMERS.get(self.role):
            properties["kind"] = {
                "const": self.word,
                "x-consumers": [consumer],
                "x-affects-tuning": self.role == TARGET,
            }
        properties |= self.source.get("properties", {})
        if self.role == TARGET:
            properties |= COMMON
        required = [name for name in ("kind",) if name in properties]
        return {
            **self.source,
            "properties": properties,
            "required": [*required, *self.source.get("required", ())],
            "$defs": DEFS,
        }

    @property
    def default_keys(self) -> tuple[str, ...]:
        """The keys of a node that states none."""
        return tuple(self.source.get("x-keys", ()))

    @property
    def host_dependent_without(self) -> tuple[str, ...]:
        """Options of which one must be stated, lest a compiler look at its own machine."""
        return tuple(self.source.get("x-host-dependent-without", ()))

    @cached_property
    def options(self) -> dict[str, Option]:
        """Every option that the kind names."""
        return {name: Option.of(name, schema) for name, schema in self.schema["properties"].items()}

    def option(self, name: str) -> Option | None:
        """What is known of an option; of one accepted by its form, that; None of an unknown one."""
        if name in self.options:
            return self.options[name]
        return self._unlisted(name)

    @cached_property
    def _unlisted(self) -> Callable[[str], Option | None]:
        """What is known of an option by the form of its name; asked of each leaf below a flow."""
        patterns: Mapping[str, Any] = self.source.get("patternProperties", {})
        if not patterns:
            return lambda _: None
        names: dict[str, Any] = {pattern: {} for pattern in patterns}
        form = compile_schema({"patternProperties": names, "additionalProperties": False})
        schema = next(iter(patterns.values()))

        @lru_cache(maxsize=MOST_UNLISTED)
        def option(name: str) -> Option | None:
            return Option.of(name, schema) if form.is_valid({name: None}) else None

        return option

    @cached_property
    def _validator(self) -> jsonschema_rs.Validator:
        return compile_schema(self.schema)

    @cached_property
    def _patch_validator(self) -> jsonschema_rs.Validator:
        kept = ("type", "properties", "patternProperties", "additionalProperties", "$defs")
        return compile_schema({key: self.schema[key] for key in kept if key in self.schema})

    def faults(self, value: dict[str, Any], pointer: str) -> list[Fault]:
        """What is wrong with a node's own options, or with a component."""
        found = list(faults_of(self._validator, self.schema, value, pointer))
        return found + list(integral_floats(self.schema, value, pointer))

    def accepts_patch(self, value: Mapping[str, Any]) -> bool:
        """Whether `patch_faults` finds none, in a fraction of its time."""
        settled = _settled(value)
        return (
            self._patch_validator.is_valid(settled)
            and all(self.option(name) for name in value if value[name] is None)
            and not any(integral_floats(self.schema, settled, ""))
        )

    def patch_faults(self, value: Mapping[str, Any], pointer: str) -> list[Fault]:
        """What is wrong with a patch of them: nulls and list edits are allowed, gaps as well."""
        settled = _settled(value)
        found = list(faults_of(self._patch_validator, self.schema, settled, pointer))
        found += [
            unknown_option(self.name, name, child(pointer, name), self.options)
            for name, item in value.items()
            if item is None and not self.option(name)
        ]
        return found + list(integral_floats(self.schema, settled, pointer))


def _settled(value: Any) -> Any:
    """A patch as it looks where it was applied to nothing."""
    if isinstance(value, dict) and is_edit(value):
        return [item for items in value.values() if isinstance(items, list) for item in items]
    if isinstance(value, dict):
        return {key: _settled(item) for key, item in value.items() if item is not None}
    return value


class Kinds(Mapping[str, Kind]):
    """All kinds in their revisions of one moment, by name."""

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
        """The kinds of nodes, by the word that stands under `kind`."""
        return self._of_role(TARGET)

    @cached_property
    def executors(self) -> dict[str, Kind]:
        """The executors, by word."""
        return self._of_role(EXECUTOR)

    @cached_property
    def runtimes(self) -> dict[str, Kind]:
        """The runtimes, by word."""
        return self._of_role(RUNTIME)

    def components(self, role: str) -> dict[str, Kind]:
        """The executors or the runtimes, by word."""
        return self.executors if role == EXECUTOR else self.runtimes

    def _of_role(self, role: str) -> dict[str, Kind]:
        return {kind.word: kind for kind in self._kinds.values() if kind.role == role}

    def options_at(
        self, document: Json, pointer: str, root_kinds: Collection[str] = ()
    ) -> list[Option]:
        """What is known of the option whose value, or part of it, stands at a pointer.

        In a mixin no kind need be stated: then every kind that has such an option answers, at the
        root those of `root_kinds` where given. Of a whole component, that is all of its options; of
        a target that a mixin takes away, that is its kind.
        """
        node: Any = document
        place = tokens(pointer)
        while place and place[0] in ("host", "devices"):
            skip = 1 if place[0] == "host" else 3 if is_edit(node.get("devices")) else 2
            for token in place[:skip]:
                node = node[int(token)] if isinstance(node, list) else node[token]
            place = place[skip:]
            if not isinstance(node, dict):
                return [kind.options["kind"] for kind in self.targets.values()]
        words = root_kinds if node is document and root_kinds else self.targets
        return list(self._options(node, place, words)) if place else []

    def _options(
        self, node: Mapping[str, Any], place: list[str], words: Collection[str]
    ) -> Iterator[Option]:
        key, name = place[0], place[1] if len(place) > 1 else ""
        if key in SINGLE:
            candidates = [self._kinds[key]]
        elif key in COMPONENTS:
            known = self.components(key)
            stated = node[key].get("kind") if isinstance(node.get(key), dict) else None
            candidates = [known[stated]] if stated in known else list(known.values())
        else:
            stated, name = node.get("kind"), key
            words = [stated] if stated in self.targets else words
            candidates = [self.targets[word] for word in words if word in self.targets]
        for kind in candidates:
            if not name:
                yield from kind.options.values()
            elif option := kind.option(name):
                yield option
