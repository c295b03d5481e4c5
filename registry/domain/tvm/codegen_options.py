"""The options of external code generators that TVM 0.8 to 0.19 read from a command line.

Each is a member of an object among the pass settings, such as `relay.ext.ethos-u.options`. A flow
has no objects: a member is a setting of its own. Options for developers are left out, and so are
those that a code generator read only from Python.
"""

from __future__ import annotations

from collections.abc import Mapping

from registry.domain.document import Json
from registry.domain.tvm.command_line import Option, Text
from registry.domain.tvm.option_text import parse_option

BOOLEAN, INTEGER, TEXT = {"type": "boolean"}, {"type": "integer"}, {"type": "string"}
OPTIONS: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "cmsis-nn": {"mcpu": TEXT},
    "ethos-u": {
        "accelerator_config": TEXT,
        "disable_copying_constants": BOOLEAN,
        "enable_cascader": BOOLEAN,
        "enable_striping": BOOLEAN,
    },
    "mrvl": {"mcpu": TEXT, "mattr": TEXT, "num_tiles": INTEGER},
}
SETTINGS = {"cmsis-nn": "cmsisnn"}  # what the settings call them


def setting_name(codegen: str, option: str) -> str:
    """Return the name of the pass setting for an option of a code generator."""
    return f"relay.ext.{SETTINGS.get(codegen, codegen)}.options.{option}"


def option_value(codegen: str, option: Option) -> Json:
    """Return the value of an option; None if the code generator has none of this name.

    Its text is checked with the flow. Raises `Unreadable` if the value has another type.
    """
    schema = OPTIONS.get(codegen, {}).get(option.name)
    if schema is None or (option.is_bare and schema is not BOOLEAN):
        return None
    return parse_option(Text.of(option.value.characters), schema)
