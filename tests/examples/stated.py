"""Recorded examples, and the responses to compare them with."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from django.test import Client

from registry.services.core import shipped_facts
from registry.services.versions.exporting import EXPORT_FORMATS

FOLDER = Path(__file__).parent
FORMATS = [name for name, form in EXPORT_FORMATS.items() if form.written]
CATALOGUE_EXAMPLES = ("aws/c4.4xlarge", "nvidia/jetson-nano:cuda", "arm/soc:aot")  # real machines


def references() -> list[str]:
    """Return the examples by name."""
    invented = (tag.name for tag in shipped_facts.tags() if tag.name.startswith("example/"))
    return [*CATALOGUE_EXAMPLES, *sorted(invented)]


def path_of(reference: str) -> Path:
    """Return the path of an example's file."""
    return FOLDER / f"{re.sub('[/:]', '-', reference)}.json"


def stated(reference: str) -> dict[str, Any]:
    """Return a recorded example: `target`, `tuning_keys` and `formats` by name."""
    data: dict[str, Any] = json.loads(path_of(reference).read_text(encoding="utf-8"))
    return data


def resolved(client: Client, reference: str, **query: str) -> dict[str, Any]:
    """Return the resolution of an example, or of one of its nodes."""
    response = client.get(f"/api/v1/resolve/{reference}", query)
    assert response.status_code == 200, response.content
    data: dict[str, Any] = response.json()
    return data


def written(client: Client, reference: str, form: str) -> dict[str, Any]:
    """Return a format's output: `json`; `text` in lines, with losses; or `refused`."""
    response = client.get(f"/api/v1/resolve/{reference}", {"format": form})
    if response.status_code != 200:
        return {"refused": response.json()["code"]}
    if EXPORT_FORMATS[form].is_json:
        return {"json": response.json()}
    dropped = json.loads(f"[{response.get('Target-Dropped', '')}]")
    return {"text": response.content.decode().split("\n"), "dropped": dropped}
