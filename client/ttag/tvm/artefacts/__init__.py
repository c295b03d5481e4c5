"""What a build with TVM really contains, read back from its modules, and compared with its target.

`checking` compares, `expectations` says what a target promises, `contents` reads TVM's modules,
and `objects`, `elf` and `attributes` read object files. What has no object and no text that names
its processor is source only: it is listed, never compared.
"""

from ttag.tvm.artefacts.checking import check
from ttag.tvm.artefacts.contents import Content, read_back

__all__ = ["Content", "check", "read_back"]
