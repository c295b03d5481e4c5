"""The tables of the text formats and the grammars of their texts, from `grammars.json`.

The client reads the same file, which is part of it: older clients refuse the text of a flag or an
architecture that was added to it.
"""

from __future__ import annotations

import json
from typing import Any

from registry.site_files import GRAMMARS

TABLES: dict[str, Any] = json.loads(GRAMMARS.read_bytes())
