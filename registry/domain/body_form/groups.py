"""The groups of a form's fields: the hardware first, then what compilers read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from registry.domain.body_form.fields import REST, BodyRole, Field, Group, Widget
from registry.domain.body_form.schema_fields import HOST_KIND, SchemaFields
from registry.domain.kinds.kinds import FLOW, HARDWARE
from ttag_rules.nodes import COMPOSITES

# Facts that identify a machine, in the order in which people describe one.
MAIN_FACTS = ("vendor", "model", "category", "launched", "memory_bytes", "cores")
# The main options for code generation in their usual order; a kind has some of them.
MAIN_OPTIONS = ("codegen", "arch", "mtriple", "mcpu", "mattr", "mabi", "mfloat-abi", "num-cores")
HOST_OPTIONS = ("mtriple", "mcpu", "mattr", "num-cores", "keys", "mabi", "mfloat-abi")
PARENTS = Field(
    "/tag",
    "tag",
    Widget.PARENTS,
    {
        "description": "The parent, then any mixins, one reference per line. A mixin is a patch "
        "for other targets, without a kind of its own."
    },
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
    "labels, in which 40 x llvm stands for forty equal devices."
)
HARDWARE_HELP = "Facts about the machine, for people and for comparison. No compiler reads them."
CODE_HELP = (
    "What compilers read. If an option is in tuning keys, another value makes older tuning records "
    "useless."
)
HOST_HELP = f"Name a tag, or describe a host of kind {HOST_KIND} in the folded fields."
REST_HELP = (
    "A JSON object for everything that has no field above: other options, null to remove an "
    "inherited value, $append and $remove."
)
REST_GROUP = Group("rest", "Anything else", (), (REST,), REST_HELP)


def groups_of(role: BodyRole, word: str, fields: SchemaFields) -> tuple[Group, ...]:
    """Return the groups of a body's fields, in order, without empty ones."""
    host = Group(
        "host",
        "Host",
        (HOST,),
        tuple(fields.host[name] for name in HOST_OPTIONS if name in fields.host),
        HOST_HELP,
    )
    is_composite = word in COMPOSITES
    groups = [
        *_hardware_groups(fields.hardware),
        Group("parents", "Parents", (PARENTS,) if role is BodyRole.HEIR else ()),
        _devices_group(role, word),
        *_own_groups(fields.own, is_bound=role is BodyRole.KIND),
        *([host] if is_composite else []),
        Group("names", "Names and libraries", (), fields.common),
        *([] if is_composite else [host]),
        _with_members("running", "Execution", fields.components, fields.component_options),
        _with_members(FLOW, "Flow", (), fields.flow),
        REST_GROUP,
    ]
    return _filled(groups)


def groups_of_device(word: str, fields: SchemaFields, *, has_devices: bool) -> tuple[Group, ...]:
    """Return the groups of a device of a kind: its main options, and JSON for the others."""
    is_composite = word in COMPOSITES
    groups = [
        _devices_group(BodyRole.KIND, word if has_devices else ""),
        *_own_groups(fields.own, is_bound=True),
        Group("host", "Host", (HOST,) if is_composite else ()),
        Group("names", "Names and libraries", fields.common),
        Group("running", "Execution", fields.components if is_composite else ()),
    ]
    return (*_filled(replace(group, folded=()) for group in groups), REST_GROUP)


def groups_of_tag() -> tuple[Group, ...]:
    """Return the groups of a device that is a tag: overrides are JSON."""
    return (Group("parents", "Parents", (PARENTS,)), REST_GROUP)


def _filled(groups: Iterable[Group]) -> tuple[Group, ...]:
    return tuple(group for group in groups if group.fields or group.folded)


def _hardware_groups(facts: Iterable[Field]) -> Iterator[Group]:
    """Yield the group of facts, the main ones first, and one for each object of facts."""
    by_name = {field.label: field for field in facts if not field.members}
    first = [by_name.pop(name) for name in MAIN_FACTS if name in by_name]
    yield Group(HARDWARE, "Hardware", tuple(first), tuple(by_name.values()), HARDWARE_HELP)
    for field in facts:
        yield Group(f"{HARDWARE}-{field.label}", field.label, (), field.members, field.help)


def _devices_group(role: BodyRole, word: str) -> Group:
    """Return the group of the devices; empty for a kind without devices."""
    devices = replace(DEVICES, is_required=role is BodyRole.KIND)
    return Group("devices", "Devices", (devices,) if word in COMPOSITES else (), help=DEVICES_HELP)


def _own_groups(fields: Iterable[Field], *, is_bound: bool) -> Iterator[Group]:
    """Yield groups of a kind's options: code generation with the rest folded, and limits.

    `is_bound`: options that the kind requires are required.
    """
    own = [replace(field, is_required=is_bound and field.is_required) for field in fields]
    first = sorted(filter(_is_first, own), key=_rank)
    limits = [field for field in own if field not in first and _is_limit(field)]
    others = [field for field in own if field not in first and field not in limits]
    has_main = bool(first or limits)
    yield _with_members(
        "code",
        "Code generation",
        first if has_main else others,
        others if has_main else (),
        CODE_HELP,
    )
    yield Group("limits", "Limits", tuple(limits))


def _is_first(field: Field) -> bool:
    is_read = field.consumers != ("annotation",)
    return field.is_required or (field.label in MAIN_OPTIONS and is_read)


def _rank(field: Field) -> int:
    return MAIN_OPTIONS.index(field.label) if field.label in MAIN_OPTIONS else len(MAIN_OPTIONS)


def _is_limit(field: Field) -> bool:
    is_number = field.widget is Widget.INTEGER or field.schema.get("type") == "integer"
    return is_number and "tuning" in field.consumers and not field.schema.get("deprecated")


def _with_members(
    name: str, title: str, fields: Iterable[Field], folded: Iterable[Field], help: str = ""
) -> Group:
    """Return a group in which the members of an object stand for it."""
    return Group(name, title, tuple(_members_of(fields)), tuple(_members_of(folded)), help)


def _members_of(fields: Iterable[Field]) -> Iterator[Field]:
    for field in fields:
        for member in field.members:
            yield replace(member, label=f"{field.label}/{member.label}")
        if not field.members:
            yield field
