"""The positions of values in a body, by which they are merged."""

from __future__ import annotations

from enum import Enum

from registry.domain.document import Json
from ttag_rules.nodes import HOST


class Position(Enum):
    """The position of a value in a body, which decides how it is read."""

    TARGET = "target"
    DEVICES = "devices"  # a list of targets, or targets by label
    COMPONENT = "component"  # an executor or a runtime: a name, or an object with a kind
    FEATURES = "features"  # a list of +name and -name; the last occurrence of a name counts
    PLAIN = "plain"

    def inside(self, key: str) -> Position:
        """Return the position of the value under a key of an object at this position."""
        if self is Position.DEVICES:
            return Position.TARGET
        return (
            POSITION_OF_KEY.get(key, Position.PLAIN) if self is Position.TARGET else Position.PLAIN
        )


POSITION_OF_KEY = {
    HOST: Position.TARGET,
    "devices": Position.DEVICES,
    "executor": Position.COMPONENT,
    "runtime": Position.COMPONENT,
    "mattr": Position.FEATURES,
}


def is_mixin(body: Json) -> bool:
    """Return whether a body is a reusable patch: it states neither a kind nor a parent."""
    return isinstance(body, dict) and "kind" not in body and "tag" not in body
