"""The tables of the text formats and the grammars of their texts, from `grammars.json`.

The registry writes texts by them, and the client checks texts by them: older clients refuse the
text of a flag or an architecture that was added.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

TABLES: dict[str, Any] = json.loads(Path(__file__).with_name("grammars.json").read_bytes())
