"""Hypothesis strategies for references, bodies from the kinds' schemas, and libraries."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from registry.domain.checks.cross_option_rules import GPUS
from registry.domain.document import MAX_INTEGER, Json
from registry.domain.errors import Refused
from registry.domain.kinds.kinds import Kind
from registry.domain.reference import Reference
from tests.domain.builders import KINDS, Library
from ttag_rules.llvm_options import COMPILER_OPTIONS, CompilerOption
from ttag_rules.nodes import COMPOSITES
from ttag_rules.selectors import Selector
from ttag_rules.version_number import VersionNumber

alphanumeric = st.text(string.ascii_lowercase + string.digits, min_size=1, max_size=8)


@st.composite
def components(draw: DrawFn) -> str:
    parts = draw(st.lists(alphanumeric, min_size=1, max_size=3))
    joints = [draw(st.sampled_from([".", "_", "__", "-", "---"])) for _ in parts[1:]]
    text = parts[0] + "".join(joint + part for joint, part in zip(joints, parts[1:], strict=True))
    return text if not text.endswith((".json", ".atom", ".svg")) else text + "x"


@st.composite
def tag_texts(draw: DrawFn) -> str:
    name = "/".join(draw(st.lists(components(), min_size=2, max_size=4)))
    if draw(st.booleans()):
        return name
    first = draw(st.sampled_from(string.ascii_lowercase + string.digits + "_"))
    return f"{name}:{first}{draw(alphanumeric)}{draw(st.sampled_from(['', '-', '.x', '_']))}"


parts_of_numbers = st.integers(0, 999_999_999)
selectors = st.one_of(
    st.just(Selector()),
    st.lists(parts_of_numbers, min_size=1, max_size=3).map(lambda parts: Selector(tuple(parts))),
    st.text("0123456789abcdef", min_size=64, max_size=64).map(
        lambda text: Selector(digest=f"sha256:{text}")
    ),
)
alias_texts = st.builds(
    lambda namespace, rest: f"{namespace}/{rest}",
    components(),
    st.text([chr(c) for c in range(33, 127) if chr(c) not in "@?#%\\"], min_size=1, max_size=12),
).filter(
    lambda text: (
        not text.endswith((".json", ".atom", ".svg"))
        and "..." not in text
        and not {".", ".."} & {*text.split("/")}
    )
)
references = st.builds(Reference, st.one_of(tag_texts(), alias_texts), selectors)
numbers = st.builds(VersionNumber, st.integers(1, 4), st.integers(0, 3), st.integers(0, 3))

scalars: SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-MAX_INTEGER, MAX_INTEGER),
    st.floats(allow_nan=False, allow_infinity=False).filter(lambda x: abs(x) <= MAX_INTEGER),
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=8),
)
documents: SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=6),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=12,
)


def option_texts_of(others: str, max_size: int = 8) -> SearchStrategy[str]:
    """Return a strategy for text that begins with a letter, digit or _ and has no `..`."""
    first = st.sampled_from(string.ascii_letters + string.digits + "_")
    rest = st.text(string.ascii_letters + string.digits + others, max_size=max_size)
    return st.builds(str.__add__, first, rest).filter(
        lambda text: ".." not in text and not text.endswith((".", " "))
    )


option_texts = option_texts_of("_.+-")
product_names = option_texts_of("_.,+:=/-() ", max_size=12)
features = st.builds(str.__add__, st.sampled_from("+-"), alphanumeric)
feature_lists = st.lists(
    features,
    max_size=3,
    unique_by=lambda feature: feature[1:],  # none has both signs
)
triples = st.lists(option_texts_of("_.+", max_size=4), min_size=1, max_size=5).map("-".join)
triples = triples.filter(lambda text: text[0] != "_")


def llvm_options(option: str) -> SearchStrategy[list[str]]:
    """Return a strategy for LLVM options that a target may pass on, each at most once."""
    listed = [row for row in COMPILER_OPTIONS.values() if option in row.options]
    rows = st.lists(st.sampled_from(listed), max_size=2, unique_by=lambda row: row.name)
    return rows.map(lambda rows: [_written(row, option) for row in rows])


def _written(row: CompilerOption, option: str) -> str:
    if row.type == "bool":
        return f"-{row.name}"
    return f"-{row.name}{':uint' if option == 'cl-opt' else ''}={row.maximum}"


labels = st.from_regex(r"[a-z][a-z0-9_-]{0,4}", fullmatch=True).filter(
    lambda label: label not in ("kind", "tag")
)
DEFINED: dict[str, SearchStrategy[Any]] = {
    "text": option_texts,
    "product": product_names,
    "texts": st.lists(option_texts, max_size=3),
    "features": feature_lists,
    "count": st.integers(0, 1 << 20),
    "positive": st.integers(1, 1 << 20),
    "url": st.just("https://example.org/facts"),
}


def values(schema: dict[str, Any]) -> SearchStrategy[Any]:
    """Return a strategy for values that an option's schema admits."""
    match schema:
        case {"$ref": str(reference)}:
            return DEFINED[reference.removeprefix("#/$defs/")]
        case {"const": constant}:
            return st.just(constant)
        case {"enum": [*choices]}:
            return st.sampled_from(choices)
        case {"type": "boolean"}:
            return st.booleans()
        case {"type": "integer", "minimum": least, "maximum": most}:
            return st.integers(least, min(most, 1 << 20))
        case {"type": "string", "pattern": pattern}:
            return st.from_regex(pattern.replace("$", r"\Z"), alphabet=st.characters(codec="ascii"))
        case {"type": "array", "items": items}:
            return st.lists(values(items), max_size=2)
    raise AssertionError(f"no strategy for {schema}")


def options(kind: Kind) -> dict[str, SearchStrategy[Any]]:
    """Return a strategy for each option of a kind."""
    return {
        name: BY_NAME[name] if name in BY_NAME and "const" not in schema else values(schema)
        for name, schema in kind.schema["properties"].items()
        if name != "kind"
    }


# Options whose strings have a form that their schema does not state.
BY_NAME: dict[str, SearchStrategy[Any]] = {
    "cl-opt": llvm_options("cl-opt"),
    "llvm-options": llvm_options("llvm-options"),
    "mtriple": triples,
}
OPTIONS = {word: options(kind) for word, kind in KINDS.targets.items()}
LEAF_KINDS = sorted(set(KINDS.targets) - COMPOSITES)


@st.composite
def own_options(draw: DrawFn, word: str) -> dict[str, Any]:
    strategies_by_name = OPTIONS[word]
    names = draw(st.lists(st.sampled_from(sorted(strategies_by_name)), max_size=5, unique=True))
    options_of_node = {name: draw(strategies_by_name[name]) for name in names}
    if word == "webgpu" and "thread_warp_size" in options_of_node:  # a rule of its own schema
        options_of_node["supports_subgroups"] = options_of_node["thread_warp_size"] == 32
    return options_of_node


flows = st.fixed_dictionaries(
    {},
    optional={
        "link-params": st.booleans(),
        "enable-byoc": st.lists(option_texts, max_size=2),
        "tir.disable_vectorize": st.booleans(),
        "relax.fuse-more": st.one_of(st.booleans(), st.integers(0, 9)),
        "relay.ext.vitis_ai.options.target": option_texts,
    },
)
facts = st.fixed_dictionaries(
    {"sources": st.just({"all": ["https://example.org/facts"]})},
    optional={
        "vendor": st.sampled_from(["Example", "Other"]),
        "cores": st.integers(1, 64),
        "power_watts": st.floats(0.5, 400),
        "peak_ops_per_s": st.dictionaries(
            st.sampled_from(["fp32", "int8"]), st.integers(1, 1 << 50), min_size=1
        ),
    },
)
# Pairs that no rule across options refuses, whatever encloses them.
executors = st.sampled_from(["graph", "vm", "aot", {"kind": "vm"}, {"kind": "aot"}])
runtimes = st.sampled_from(["cpp", "crt", {"kind": "crt", "system-lib": True}, "cuda-graph"])


@st.composite
def surroundings(draw: DrawFn) -> dict[str, Any]:
    """Draw some of executor, runtime, flow and hardware."""
    parts: dict[str, SearchStrategy[Any]] = {
        "executor": executors,
        "runtime": runtimes,
        "flow": flows,
        "hardware": facts,
    }
    names = draw(st.lists(st.sampled_from(sorted(parts)), max_size=2, unique=True))
    return {name: draw(parts[name]) for name in names}


@st.composite
def leaf_targets(draw: DrawFn, with_host: bool = True) -> dict[str, Any]:
    word = draw(st.sampled_from(LEAF_KINDS))
    node = {"kind": word, **draw(own_options(word)), **draw(surroundings())}
    if with_host and draw(st.booleans()):
        node["host"] = draw(st.one_of(st.just("c"), hosts()))
    return node


@st.composite
def hosts(draw: DrawFn) -> dict[str, Any]:
    """Draw leaves that are no GPUs."""
    word = draw(st.sampled_from([kind for kind in LEAF_KINDS if kind not in GPUS]))
    return {"kind": word, **draw(own_options(word)), **draw(surroundings())}


@st.composite
def composite_targets(draw: DrawFn, inner: SearchStrategy[Any]) -> dict[str, Any]:
    word = draw(st.sampled_from(sorted(COMPOSITES)))
    node = {"kind": word, **draw(own_options(word)), **draw(surroundings())}
    if word == "byoc":
        node["codegen"] = draw(option_texts)
    lists = st.lists(inner, min_size=1, max_size=3)
    node["devices"] = draw(st.one_of(lists, st.dictionaries(labels, inner, min_size=1, max_size=3)))
    if draw(st.booleans()):
        node["host"] = draw(hosts())
    return node


targets: SearchStrategy[dict[str, Any]] = st.recursive(
    leaf_targets(), lambda inner: st.one_of(inner, composite_targets(inner)), max_leaves=4
)

edits = st.one_of(
    st.builds(lambda items: {"$append": items}, st.lists(option_texts, max_size=3)),
    st.builds(
        lambda gone, items: {"$remove": gone, "$append": items},
        st.lists(option_texts, max_size=2),
        st.lists(option_texts, max_size=2),
    ),
)
PATCHES: dict[str, SearchStrategy[Any]] = {
    "model": st.one_of(st.none(), product_names),
    "keys": st.one_of(st.none(), st.lists(option_texts, max_size=2), edits),
    "libs": st.one_of(st.none(), st.lists(option_texts, max_size=2), edits),
    "host": st.one_of(st.none(), st.just("llvm"), hosts()),
    "executor": st.one_of(st.none(), executors),
    "runtime": st.one_of(st.none(), runtimes),
    "flow": st.one_of(st.none(), flows, st.just({"enable-byoc": None})),
    "hardware": st.one_of(st.none(), facts, st.just({"vendor": None})),
}


@st.composite
def patches(draw: DrawFn) -> dict[str, Any]:
    """Draw overrides that fit any target, or a mixin's body."""
    names = draw(st.lists(st.sampled_from(sorted(PATCHES)), max_size=3, unique=True))
    return {name: draw(PATCHES[name]) for name in names}


@st.composite
def bodies(draw: DrawFn, target_names: Sequence[str], mixins: Sequence[str]) -> dict[str, Any]:
    """Draw bodies that may refer to whole targets and mixins of these names."""
    if not target_names or draw(st.integers(0, 3)) == 0:
        return draw(targets)
    if draw(st.booleans()):
        parents = [draw(st.sampled_from(target_names))]
        if mixins:
            parents += draw(st.lists(st.sampled_from(mixins), max_size=2))
        tag = parents if len(parents) > 1 or draw(st.booleans()) else parents[0]
        return {"tag": tag, **draw(patches())}
    inheriting = st.builds(
        lambda name, patch: {"tag": name, **patch}, st.sampled_from(target_names), patches()
    )
    return draw(composite_targets(st.one_of(st.sampled_from(target_names), inheriting, targets)))


@st.composite
def libraries(draw: DrawFn, size: int = 6) -> Library:
    """Draw versions that inherit from and compose each other."""
    library, target_names, mixins = Library(), list[str](), list[str]()
    for index in range(draw(st.integers(1, size))):
        name = f"lib/t{index}"
        is_mixin = bool(target_names) and draw(st.integers(0, 3)) == 0
        body: Json = draw(patches()) if is_mixin else draw(bodies(target_names, mixins))
        try:
            library.publish(name, body)
        except Refused:
            continue  # a host that is composite, say; what is refused is tested elsewhere
        (mixins if is_mixin else target_names).append(name)
    return library
