"""Keeps collections of garbage short: a full one stops all threads while it looks at all objects.

With 80,000 objects that is 50 ms, twice that on a busy machine, and no resolve gets an answer
meanwhile. Nearly all of them are results in memory, templates and the like, which stay.
"""

import gc
from collections.abc import Mapping
from typing import Any

FULL_AFTER = 20  # collections of the middle generation, in place of ten: some 130 requests
ALL_AFTER = 500  # full collections, of which one looks at everything

_collections = 0


# Decision 193: a resolve waits for a full collection.
def keep_collections_short() -> None:
    """Let full collections look at what is new since the last one; every 500th, at everything.

    Call it when everything is there that stays. Objects that were in use during a collection, and
    later become garbage in a circle, wait for the one that looks at everything.
    """
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, FULL_AFTER)
    gc.callbacks.append(_after_full_collection)
    gc.freeze()


def _after_full_collection(phase: str, info: Mapping[str, Any]) -> None:
    global _collections  # noqa: PLW0603 - of the process, as collections are
    if info["generation"] < 2:
        return
    if phase == "stop":
        gc.freeze()
        _collections += 1
    elif _collections % ALL_AFTER == ALL_AFTER - 1:
        gc.unfreeze()
