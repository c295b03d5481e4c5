"""The tables of the text formats and the grammars of their texts, from `grammars.json`.

The client has the same file (`client/ttag/texts/grammars.json`): whoever adds a flag or an
architecture to a format adds it there, or clients refuse the text.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

TABLES: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_bytes())
