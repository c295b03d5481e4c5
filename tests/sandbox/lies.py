"""Generates what liars send: a target and a text of it, from honest ones by seeded mutations."""

import copy
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from registry.domain import formats
from registry.domain.document import canonical
from registry.domain.errors import Refused
from tests.domain.formats.subjects import catalogue
from tests.sandbox import dangers

FORMS = ("clang", "cmake", "iree", "tvm")
REFERENCE = "acme/evil@1.0.0"  # of all lies
HONEST = 0.1  # of all, which must come through


@dataclass(frozen=True)
class Lie:
    """A target, and the text that is sent as its form; `mutation` says how both were made."""

    form: str
    target: dict[str, Any]
    text: str
    mutation: str

    @property
    def is_honest(self) -> bool:
        return self.mutation == "none"


@cache
def honest_texts(form: str) -> tuple[Lie, ...]:
    """Return what an honest registry says of the catalogue's targets in a form, without repeats."""
    written: dict[str, Lie] = {}
    for subject in catalogue().values():
        try:
            text = formats.FORMATS[form].write(replace(subject, exact=REFERENCE)).text
        except Refused:
            continue
        written.setdefault(text, Lie(form, subject.target, text, "none"))
    return tuple(written.values())


def lies(form: str, count: int, seed: int) -> list[Lie]:
    """Return as many lies in a form; the same for the same seed, and some honest answers."""
    random_ = random.Random(f"{form} {seed}")
    honest = honest_texts(form)
    mutations = TVM if form == "tvm" else TEXT
    made: list[Lie] = []
    while len(made) < count:
        lie = random_.choice(honest)
        if random_.random() > HONEST:
            for _ in range(random_.choice((1, 1, 1, 2, 3))):
                lie = random_.choice(mutations)(lie, random_)
        made.append(lie)
    return made


def dangerous(form: str, random_: random.Random) -> str:
    """Return words, or a line, that an honest text never holds."""
    if form == "cmake":
        if random_.random() < 0.3:
            name = random_.choice(dangers.CMAKE_VARIABLES)
            return f'set({name} "{random_.choice(dangers.VALUES)}")'
        return (
            f"{random_.choice(dangers.cmake_commands())}({random_.choice(dangers.CMAKE_ARGUMENTS)})"
        )
    options = dangers.clang_options() if form == "clang" else dangers.iree_options()
    if form == "clang" and random_.random() < 0.3:
        return f"-mllvm {_with_argument(random_.choice(dangers.llvm_options()), random_)}"
    return _with_argument(random_.choice(options), random_)


def _with_argument(option: str, random_: random.Random) -> str:
    argument = random_.choice(dangers.ARGUMENTS)
    return (
        option + argument
        if option.endswith("=")
        else random_.choice((option, f"{option} {argument}"))
    )


def insert_option(lie: Lie, random_: random.Random) -> Lie:
    separator = "\n" if lie.form in {"cmake", "iree"} else " "
    parts = lie.text.split(separator)
    parts.insert(random_.randrange(len(parts) + 1), dangerous(lie.form, random_))
    return _lie(lie, separator.join(parts), "an option")


def insert_value(lie: Lie, random_: random.Random) -> Lie:
    at = random_.randrange(len(lie.text) + 1)
    return _lie(lie, lie.text[:at] + random_.choice(dangers.VALUES) + lie.text[at:], "a value")


def replace_value(lie: Lie, random_: random.Random) -> Lie:
    """Replace a string of the target in the text only."""
    old = str(dangers.get(lie.target, random_.choice(dangers.strings_in(lie.target))))
    return _lie(lie, lie.text.replace(old, random_.choice(dangers.VALUES)), "a value of the text")


def replace_everywhere(lie: Lie, random_: random.Random) -> Lie:
    """Replace a string of the target in target and text: they agree."""
    path = random_.choice(dangers.strings_in(lie.target))
    old, new = str(dangers.get(lie.target, path)), random_.choice(dangers.VALUES)
    target = copy.deepcopy(lie.target)
    dangers.put(target, path, new)
    text = lie.text.replace(old, new) if lie.form != "tvm" else _retold(lie, target)
    return Lie(lie.form, target, text, "a value of both")


def drop_word(lie: Lie, random_: random.Random) -> Lie:
    words = lie.text.split(" ")
    del words[random_.randrange(len(words))]
    return _lie(lie, " ".join(words), "a word less")


def tell_of_another(lie: Lie, random_: random.Random) -> Lie:
    return _lie(lie, random_.choice(honest_texts(lie.form)).text, "another target's text")


def splice(lie: Lie, random_: random.Random) -> Lie:
    other = random_.choice(honest_texts(lie.form)).text
    cut = random_.randrange(len(lie.text) + 1)
    return _lie(lie, lie.text[:cut] + other[random_.randrange(len(other) + 1) :], "two texts")


def add_option(lie: Lie, random_: random.Random) -> Lie:
    """Add an option that reaches LLVM to the target, and to the text of it."""
    target = copy.deepcopy(lie.target)
    target["cl-opt"] = [*random_.choice(dangers.cl_options())]
    return Lie(lie.form, target, _retold(lie, target), "an option of LLVM in both")


def hide_option(lie: Lie, random_: random.Random) -> Lie:
    """Add an option that reaches LLVM to the text only."""
    document = json.loads(lie.text)
    if isinstance(document.get("target"), dict):
        document["target"]["cl-opt"] = [*random_.choice(dangers.cl_options())]
    return _lie(lie, canonical(document).decode(), "an option of LLVM in the text")


def change_json(lie: Lie, random_: random.Random) -> Lie:
    document = json.loads(lie.text)
    path = random_.choice(dangers.strings_in(document))
    dangers.put(document, path, random_.choice(dangers.VALUES))
    return _lie(lie, canonical(document).decode(), "a value of the text")


def add_setting(lie: Lie, random_: random.Random) -> Lie:
    document = json.loads(lie.text)
    name = random_.choice(("tirx.add_lower_pass", "relax.fallback_device_type", "testing.evil"))
    document.setdefault("pass_config", {})[name] = random_.choice(dangers.VALUES)
    return _lie(lie, canonical(document).decode(), "a pass setting")


def _lie(lie: Lie, text: str, mutation: str) -> Lie:
    return Lie(lie.form, lie.target, text, mutation)


def _retold(lie: Lie, target: dict[str, Any]) -> str:
    """Return the text with another target in it, as a consistent liar writes it."""
    try:
        document = json.loads(lie.text)
    except ValueError:
        return lie.text
    if document.get("target") == lie.target:
        document["target"] = target
    elif isinstance(document.get("target"), dict):
        changed = {key: value for key, value in target.items() if lie.target.get(key) != value}
        document["target"] |= {key: value for key, value in changed.items() if key != "flow"}
    return canonical(document).decode()


Mutation = Callable[[Lie, random.Random], Lie]
TEXT: Sequence[Mutation] = (
    *(insert_option, insert_option, insert_value, replace_value, replace_everywhere),
    *(drop_word, tell_of_another, splice),
)
TVM: Sequence[Mutation] = (
    *(add_option, add_option, hide_option, change_json, replace_everywhere),
    *(add_setting, tell_of_another, add_option),
)
