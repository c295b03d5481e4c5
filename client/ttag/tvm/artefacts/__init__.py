"""Reads back the code of a build with TVM, and compares it with the target.

`checking` compares, `expectations` derives the promises of a target, `contents` reads TVM's
modules, and `objects` and `attributes` read object files. Code without an object and without
a text that names its processor is source only: it is listed, never compared.
"""

from ttag.tvm.artefacts.checking import check
from ttag.tvm.artefacts.contents import Content, read_back

__all__ = ["Content", "check", "read_back"]
