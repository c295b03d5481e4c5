"""The recorded machines: a folder each, with outputs, their origin and the expected body."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from ttag.probe import Description, describe
from ttag.probe.collecting import read_recording
from ttag_rules.probe.outputs import Outputs

MACHINES = Path(__file__).parent / "machines"
NAMES = sorted(folder.name for folder in MACHINES.iterdir())


@cache
def description(name: str) -> Description:
    """Return the description of a recorded machine."""
    return describe(read_recording(MACHINES / name))


def expected_body(name: str) -> Any:
    """Return the body that a machine is to be described by."""
    return json.loads((MACHINES / name / "body.json").read_text())


def outputs(**texts: str) -> Outputs:
    """Return outputs by the names of their files without endings, `nvidia_smi` for a hyphen."""
    endings = {"nvidia_smi": "nvidia-smi.csv"}
    return Outputs({endings.get(name, f"{name}.txt"): text for name, text in texts.items()})
