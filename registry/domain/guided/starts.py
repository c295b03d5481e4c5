"""What a guided form can begin with, and in which order its fields stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from registry.domain.composition import COMPOSITES
from registry.domain.document import Json
from registry.domain.errors import Code, Fault, Refused, echo
from registry.domain.guided.fields import REST, Field, Group, Role, Start, Widget
from registry.domain.guided.offering import options, parts
from registry.domain.kinds import COMMON, COMPONENTS, FLOW, HARDWARE, Kind, Kinds
from registry.domain.near import nearest
from registry.domain.pointer import ROOT, child

# What decides the code, in the order in which people say it; a kind has some of them.
FIRST = ("codegen", "arch", "mtriple", "mcpu", "mattr", "mabi", "mfloat-abi", "num-cores")
HOST_KIND = "llvm"  # of nearly every host, so its options are fields; others stand in JSON
HOST_OPTIONS = ("mtriple", "mcpu", "mattr", "num-cores", "keys", "mabi", "mfloat-abi")
PARENTS = Field(
    "/tag",
    "tag",
    Widget.PARENTS,
    {"description": "The parent, and after it any mixins: one reference a line."},
    is_required=True,
)
HOST = Field(
    "/host",
    "host",
    Widget.TARGET,
    {"description": "Of the CPU beside it: a tag such as arm/soc@1, or the name of a kind."},
    consumers=("codegen",),
    affects_tuning=True,
)
DEVICES = Field("/devices", "devices", Widget.DEVICES, is_required=True)
OF_DEVICES = (
    "A label of your own and a tag such as arm/soc@1, the name of a kind, or a target in JSON. "
    "Without any labels they are a list."
)
OF_HOST = f"A host of the kind {HOST_KIND} can be described here instead of by a tag."
OF_REST = (
    "An object of whatever no field above can say: other options, null for what is not "
    "inherited, $append and $remove."
)


def start_of_kind(kinds: Kinds, word: str) -> Start:
    """For a body that states this kind. Raises `Refused` (KIND_UNKNOWN)."""
    if word not in kinds.targets:
        near = nearest(word, kinds.targets)
        message = f"{echo(word)} is no known kind"
        expected = "one of " + ", ".join(sorted(kinds.targets))
        fault = Fault("/kind", Code.KIND_UNKNOWN, message, expected, echo(word), near)
        raise Refused(
            Code.KIND_UNKNOWN, f"{message}; expected {expected}.", faults=[fault], suggestions=near
        )
    return _start(Role.KIND, kinds, word)


def start_of_parents(kinds: Kinds, kind_of_parent: str) -> Start:
    """For a body that states parents, of which the first has this kind; empty: nobody knows it."""
    return _start(Role.HEIR, kinds, kind_of_parent)


def start_of_mixin(kinds: Kinds, kind: str = "") -> Start:
    """For a body that states neither; with the options of a kind where one is meant."""
    return _start(Role.MIXIN, kinds, kind)


def start_of(kinds: Kinds, body: Json, kind_of: Callable[[str], str]) -> Start:
    """The start that a body has; `kind_of` knows the kinds of references, or says nothing.

    Raises `Refused` (KIND_UNKNOWN) where it states a kind that is none.
    """
    stated = body if isinstance(body, dict) else {}
    if "tag" in stated:
        tag = stated["tag"]
        first = tag[0] if isinstance(tag, list) and tag else tag
        return start_of_parents(kinds, kind_of(first) if isinstance(first, str) else "")
    if "kind" in stated:
        kind = stated["kind"]
        return start_of_kind(kinds, kind if isinstance(kind, str) else echo(kind))
    return start_of_mixin(kinds)


def _start(role: Role, kinds: Kinds, word: str) -> Start:
    kind = kinds.targets.get(word)
    groups = [
        _parents(role),
        _devices(role, word),
        *(_own(kind, is_bound=role is Role.KIND) if kind else ()),
        *(_host(kinds) if word in COMPOSITES else ()),
        _common(),
        *(() if word in COMPOSITES else _host(kinds)),
        *_running(kinds),
        *_facts(kinds),
        Group("rest", "Anything else", (REST,), OF_REST, is_folded=True),
    ]
    return Start(role, word if kind else "", tuple(group for group in groups if group.fields))


def _parents(role: Role) -> Group:
    return Group("parents", "Parents", (PARENTS,) if role is Role.HEIR else ())


def _devices(role: Role, word: str) -> Group:
    fields = (DEVICES if role is Role.KIND else _optional(DEVICES),) if word in COMPOSITES else ()
    return Group("devices", "Devices", fields, OF_DEVICES)


def _own(kind: Kind, *, is_bound: bool) -> Iterator[Group]:
    """The options of a kind: what decides the code, what bounds it, all others folded.

    `is_bound`: what the kind requires is required.
    """
    own = [option for name, option in options(kind, ROOT).items() if name not in COMMON]
    own = own if is_bound else list(map(_optional, own))
    first = sorted(filter(_is_first, own), key=_rank)
    limits = [field for field in own if field not in first and _is_limit(field)]
    rest = [field for field in own if field not in first and field not in limits]
    yield Group("code", "Code generation", tuple(first))
    yield Group("limits", "Limits", tuple(limits))
    yield from _with_parts("more", "More options", rest, is_folded=bool(first or limits))


def _optional(field: Field) -> Field:
    return replace(field, is_required=False)


def _is_first(field: Field) -> bool:
    is_read = field.consumers != ("annotation",)
    return field.is_required or (field.label in FIRST and is_read)


def _rank(field: Field) -> int:
    return FIRST.index(field.label) if field.label in FIRST else len(FIRST)


def _is_limit(field: Field) -> bool:
    is_number = field.widget is Widget.INTEGER or field.schema.get("type") == "integer"
    return is_number and "tuning" in field.consumers and not field.schema.get("deprecated")


def _common() -> Group:
    known = options(Kind("target", 0, {}), ROOT)
    return Group("names", "Names and libraries", tuple(known[name] for name in COMMON))


def _host(kinds: Kinds) -> Iterator[Group]:
    yield Group("host", "Host", (HOST,))
    if HOST_KIND in kinds.targets:
        known = options(kinds.targets[HOST_KIND], HOST.pointer)
        described = tuple(known[name] for name in HOST_OPTIONS if name in known)
        yield Group("host-options", "The host itself", described, OF_HOST, is_folded=True)


def _running(kinds: Kinds) -> Iterator[Group]:
    """Executor and runtime by their words; what these have of options; the settings of passes."""
    roles = sorted(COMPONENTS)
    yield Group("running", "Running", tuple(_component(kinds, role) for role in roles))
    found = [field for role in roles for field in _of_components(kinds.components(role), role)]
    title = "Their options"
    yield from _with_parts("running-options", title, found, is_folded=True)
    if FLOW in kinds:
        fields = options(kinds[FLOW], child(ROOT, FLOW)).values()
        yield from _with_parts(FLOW, "Flow", fields, help=_said(kinds[FLOW]), is_folded=True)


def _component(kinds: Kinds, role: str) -> Field:
    known = kinds.components(role)
    described = {"enum": sorted(known), "description": f"The {role} that the model runs with."}
    consumer = "graph-executor" if role == "executor" else role
    return Field(child(ROOT, role), role, Widget.COMPONENT, described, (consumer,))


def _of_components(known: dict[str, Kind], role: str) -> Iterator[Field]:
    """The options of all executors or runtimes; JSON where two have different ones of a name."""
    found: dict[str, Field] = {}
    for word, kind in sorted(known.items()):
        for name, field in options(kind, child(ROOT, role), (word,)).items():
            before = found.get(name, field)
            is_one = before.widget is field.widget and before.choices == field.choices
            of = (word,) if name not in found else (*before.of, word)
            form = field.widget if is_one else Widget.JSON
            found[name] = replace(before, widget=form, of=of)
    yield from found.values()


def _facts(kinds: Kinds) -> Iterator[Group]:
    if HARDWARE in kinds:
        fields = options(kinds[HARDWARE], child(ROOT, HARDWARE)).values()
        help = _said(kinds[HARDWARE])
        yield from _with_parts(HARDWARE, "Hardware", fields, help=help, is_folded=True)


def _with_parts(
    name: str, title: str, fields: Iterable[Field], *, help: str = "", is_folded: bool
) -> Iterator[Group]:
    """A group, and one more for each of its options that is an object with known members."""
    found = [(field, tuple(parts(field))) for field in fields]
    yield Group(name, title, tuple(field for field, inner in found if not inner), help, is_folded)
    for field, inner in found:
        yield Group(f"{name}-{field.label}", field.label, inner, field.help, is_folded=True)


def _said(kind: Kind) -> str:
    return kind.description
