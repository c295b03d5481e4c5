"""Generates bodies as a hostile curator would publish them."""

import copy
import random
from typing import Any

from tests.sandbox import dangers
from tests.sandbox.lies import honest_texts

HONEST = 0.1
NAMES = ("cl-opt", "mcpu", "mtriple", "mattr", "mabi", "arch", "libs", "keys", "flow", "model")
SETTINGS = ("tir.add_lower_pass", "relax.frontend", "tirx.evil", "testing.import", "a.b")


def bodies(form: str, count: int, seed: int) -> list[tuple[dict[str, Any], bool]]:
    """Return as many bodies that have a text in a form, the same for the same seed.

    Beside each stands whether it is honest.
    """
    random_ = random.Random(f"{form} bodies {seed}")
    return [_body(form, random_) for _ in range(count)]


def _body(form: str, random_: random.Random) -> tuple[dict[str, Any], bool]:
    body = copy.deepcopy(random_.choice(honest_texts(form)).target)
    if random_.random() < HONEST:
        body["model"] = f"board {random_.randrange(10**9)}"
        return body, True
    for _ in range(random_.choice((1, 1, 2))):
        _change(body, random_)
    return body, False


def _change(body: dict[str, Any], random_: random.Random) -> None:
    path = random_.choice(dangers.strings_in(body))
    match random_.randrange(6):
        case 0 | 1:
            dangers.put(body, path, random_.choice(dangers.VALUES))
        case 2:
            options = [*random_.choice(dangers.cl_options())]
            body["cl-opt" if body["kind"] != "hexagon" else "llvm-options"] = options
        case 3:
            text = str(dangers.get(body, path))
            at = random_.randrange(len(text) + 1)
            changed = text[:at] + random_.choice(dangers.VALUES) + text[at:]
            dangers.put(body, path, changed)
        case 4:
            body["flow"] = {random_.choice(SETTINGS): random_.choice(dangers.VALUES)}
        case 5:
            name, value = random_.choice(NAMES), random_.choice(dangers.VALUES)
            body[name] = [value] if name in {"cl-opt", "mattr", "libs", "keys"} else value
