"""The `iree` importer: flags of iree-compile, or attributes of its intermediate code."""

from __future__ import annotations

from registry.domain.document import Json
from registry.domain.errors import Code, Refused
from registry.domain.importing import Imported, Importer, require_text
from registry.domain.iree_text.attributes import is_attribute, read_attributes
from registry.domain.iree_text.flags import read_flags
from registry.domain.iree_text.targets import TargetError
from registry.domain.kinds.kinds import Kinds
from registry.domain.tvm.json_target import import_body


def read(source: Json, kinds: Kinds) -> Imported:
    """Read the only target of a text of IREE. Raises `Refused`."""
    text = require_text(source, "flags")
    try:
        target = read_attributes(text) if is_attribute(text) else read_flags(text)
        stated = target.body()
    except TargetError as error:
        raise Refused(Code.BODY_INVALID, f"Not accepted: {error}.", faults=[error.fault]) from None
    return import_body(stated, kinds, target.notes)


IMPORTER = Importer(
    name="iree",
    summary="Flags of iree-compile, or #hal.executable.target of its intermediate code.",
    read=read,
)
