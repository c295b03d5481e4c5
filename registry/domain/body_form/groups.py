"""The groups of a form's fields, in their usual order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from registry.domain.body_form.fields import REST, BodyRole, Field, Group, Widget
from registry.domain.body_form.schema_fields import member_fields, option_fields
from registry.domain.kinds.kinds import COMMON_OPTIONS, COMPONENTS, FLOW, HARDWARE, Kind, Kinds
from registry.domain.pointer import ROOT, child
from registry.domain.resolution.composition import COMPOSITES
from registry.domain.tvm.flow_names import current_name

# The main options for code generation in their usual order; a kind has some of them.
MAIN_OPTIONS = ("codegen", "arch", "mtriple", "mcpu", "mattr", "mabi", "mfloat-abi", "num-cores")
HOST_KIND = "llvm"  # nearly every host is one, so its options are fields; others need JSON
HOST_OPTIONS = ("mtriple", "mcpu", "mattr", "num-cores", "keys", "mabi", "mfloat-abi")
PARENTS = Field(
    "/tag",
    "tag",
    Widget.PARENTS,
    {"description": "The parent, then any mixins, one reference per line."},
    is_required=True,
)
HOST = Field(
    "/host",
    "host",
    Widget.TARGET,
    {"description": "The CPU that runs the host code: a tag such as arm/soc@1, or a kind's name."},
    consumers=("codegen",),
    affects_tuning=True,
)
DEVICES = Field("/devices", "devices", Widget.DEVICES, is_required=True)
DEVICES_HELP = (
    "For each device, a label of your choice, and a tag such as arm/soc@1, or a kind such as llvm, "
    "cuda, ext_dev or byoc, which has fields of its own. Leave all labels empty for a list without "
    "labels."
)
HOST_HELP = f"Describe a host of kind {HOST_KIND} here instead of naming a tag."
REST_HELP = (
    "A JSON object for everything that has no field above: other options, null to remove an "
    "inherited value, $append and $remove."
)


REST_GROUP = Group("rest", "Anything else", (REST,), REST_HELP, is_folded=True)


def parents_group(role: BodyRole) -> Group:
    """Return the group of the parents, for a body that has some."""
    return Group("parents", "Parents", (PARENTS,) if role is BodyRole.HEIR else ())


def devices_group(role: BodyRole, word: str) -> Group:
    """Return the group of the devices; empty for a kind without devices."""
    fields = (
        (DEVICES if role is BodyRole.KIND else _optional(DEVICES),) if word in COMPOSITES else ()
    )
    return Group("devices", "Devices", fields, DEVICES_HELP)


def own_groups(kind: Kind, *, is_bound: bool) -> Iterator[Group]:
    """Yield groups of a kind's options: code generation, limits, and the others folded.

    `is_bound`: options that the kind requires are required.
    """
    own = [
        option for name, option in option_fields(kind, ROOT).items() if name not in COMMON_OPTIONS
    ]
    own = own if is_bound else list(map(_optional, own))
    first = sorted(filter(_is_first, own), key=_rank)
    limits = [field for field in own if field not in first and _is_limit(field)]
    rest = [field for field in own if field not in first and field not in limits]
    yield Group("code", "Code generation", tuple(first))
    yield Group("limits", "Limits", tuple(limits))
    yield from _with_member_groups("more", "More options", rest, is_folded=bool(first or limits))


def _optional(field: Field) -> Field:
    return replace(field, is_required=False)


def _is_first(field: Field) -> bool:
    is_read = field.consumers != ("annotation",)
    return field.is_required or (field.label in MAIN_OPTIONS and is_read)


def _rank(field: Field) -> int:
    return MAIN_OPTIONS.index(field.label) if field.label in MAIN_OPTIONS else len(MAIN_OPTIONS)


def _is_limit(field: Field) -> bool:
    is_number = field.widget is Widget.INTEGER or field.schema.get("type") == "integer"
    return is_number and "tuning" in field.consumers and not field.schema.get("deprecated")


def common_group() -> Group:
    """Return the options that every target has."""
    fields = option_fields(Kind("target", 0, {}), ROOT)
    return Group("names", "Names and libraries", tuple(fields[name] for name in COMMON_OPTIONS))


def host_groups(kinds: Kinds) -> Iterator[Group]:
    """Yield the groups of the host, and of its options."""
    yield Group("host", "Host", (HOST,))
    if HOST_KIND in kinds.targets:
        fields = option_fields(kinds.targets[HOST_KIND], HOST.pointer)
        described = tuple(fields[name] for name in HOST_OPTIONS if name in fields)
        yield Group("host-options", "Host options", described, HOST_HELP, is_folded=True)


def execution_groups(kinds: Kinds) -> Iterator[Group]:
    """Yield the groups of executor and runtime, their options, and the settings of passes."""
    roles = sorted(COMPONENTS)
    yield Group("running", "Execution", tuple(_component(kinds, role) for role in roles))
    component_options = [
        field for role in roles for field in _component_options(kinds.components(role), role)
    ]
    title = "Execution options"
    yield from _with_member_groups("running-options", title, component_options, is_folded=True)
    if FLOW in kinds:
        by_name = option_fields(kinds[FLOW], child(ROOT, FLOW))
        fields = [field for name, field in by_name.items() if current_name(name) == name]
        help = kinds[FLOW].description
        yield from _with_member_groups(FLOW, "Flow", fields, help=help, is_folded=True)


def _component(kinds: Kinds, role: str) -> Field:
    kinds_by_word = kinds.components(role)
    described = {"enum": sorted(kinds_by_word), "description": f"The {role} of the compiled model."}
    consumer = "graph-executor" if role == "executor" else role
    return Field(child(ROOT, role), role, Widget.COMPONENT, described, (consumer,))


def _component_options(kinds: dict[str, Kind], role: str) -> Iterator[Field]:
    """Yield the options of all executors or runtimes; as JSON if their types differ."""
    fields: dict[str, Field] = {}
    for word, kind in sorted(kinds.items()):
        for name, field in option_fields(kind, child(ROOT, role), (word,)).items():
            first = fields.get(name, field)
            has_same_type = first.widget is field.widget and first.choices == field.choices
            only_in = (word,) if name not in fields else (*first.only_in, word)
            widget = field.widget if has_same_type else Widget.JSON
            fields[name] = replace(first, widget=widget, only_in=only_in)
    yield from fields.values()


def hardware_groups(kinds: Kinds) -> Iterator[Group]:
    """Yield the groups of facts about the machine."""
    if HARDWARE in kinds:
        fields = option_fields(kinds[HARDWARE], child(ROOT, HARDWARE)).values()
        help = kinds[HARDWARE].description
        yield from _with_member_groups(HARDWARE, "Hardware", fields, help=help, is_folded=True)


def _with_member_groups(
    name: str, title: str, fields: Iterable[Field], *, help: str = "", is_folded: bool
) -> Iterator[Group]:
    """Yield a group, and one for each of its options that is an object with named members."""
    fields_with_members = [(field, tuple(member_fields(field))) for field in fields]
    yield Group(
        name,
        title,
        tuple(field for field, members in fields_with_members if not members),
        help,
        is_folded,
    )
    for field, members in fields_with_members:
        yield Group(f"{name}-{field.label}", field.label, members, field.help, is_folded=True)
