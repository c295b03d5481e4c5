"""Targets of code and of machines as people name them, and the verdict about two of them.

They come from references, which locks and mirrors answer without a network, from files, or from
the machine at hand.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from ttag.bodies import require_target
from ttag.errors import FileError
from ttag.files import read_file
from ttag.judging import Judgement, Side, Target, judge_named, read_options
from ttag.probe import describe
from ttag.probe.collecting import collect
from ttag.project import Project

THIS = "this"  # no reference: it has no slash
FILE_STARTS = (".", "/", "~")  # no reference begins so
MAX_BODY = 64 * 1024  # bytes, as the registry limits them


def runs_on(
    built_for: str | Target,
    machine: str | Target,
    *,
    ships: Iterable[str] = (),
    toolkit: str = "",
    driver: str = "",
    strict: bool = False,
) -> Judgement:
    """Return whether code built for one target runs on the machine of another.

    Each is a resolved target; or as the command takes it: a reference, `./FILE` with a body, or
    `this` for the machine at hand. Raises `TtagError`.
    """
    options = read_options(ships=ships, toolkit=toolkit, driver=driver, strict=strict)
    return judge_named(lambda text: read_side(text, Project.open()), built_for, machine, options)


def read_side(
    text: str,
    project: Project,
    directory: Path | str = ".",
    progress: Callable[[str], None] = lambda _: None,
) -> Side:
    """Return the target of a reference, of a file in a folder, or of this machine.

    A file is named as `./machine.json`, the machine at hand is `this`. Raises `TtagError`.
    """
    if text == THIS:
        return Side(describe(collect(progress, os.environ)).body)
    if text.startswith(FILE_STARTS):
        return Side(_read_body(Path(directory) / Path(text).expanduser()))
    return project.side(text)


def _read_body(path: Path) -> Target:
    """Return the body in a file, which must have no parents: those only a registry resolves."""
    content = read_file(path)
    if len(content) > MAX_BODY:
        raise FileError(f"{path} has more than {MAX_BODY} bytes, which is the most of a body.")
    try:
        body = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise FileError(f"{path} is no JSON: {error}.") from error
    return require_target(body, str(path))
