"""The release of this registry, which mirrors state: the texts of another one can differ."""

from __future__ import annotations

import re

from registry.site_files import CLIENT

# Read as by the build backend: to import it would load the client into every server process.
VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)


def _release() -> str:
    match = VERSION.search((CLIENT / "ttag/version.py").read_text())
    return match[1] if match else ""


RELEASE = _release()
