"""Names of machines behind a label: `CPU:`, `device_name=`, the type of a cloud instance."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from registry.domain.identify.readings import Fact, Reading, Recognised
from registry.domain.probe.names import board_name, product_name

WORDS = r"[A-Za-z][\w ()+./@,-]{1,90}?"


@dataclass(frozen=True, slots=True)
class Label:
    """A label that the name of a machine follows, as `name` of the pattern; `form` names it."""

    form: str
    pattern: re.Pattern[str]


LABELS = (
    # vLLM and SGLang write blanks as underscores.
    Label(
        "a tuned kernel's file name",
        re.compile(r"device_name=(?P<name>[A-Z]\w[\w-]{1,60}?)(?=,|\.json|\s|$)"),
    ),
    Label(
        "an instance type",
        re.compile(
            r"(?i:instance[_-]?type|machine[_-]?type|vm[_-]?size)\W{1,6}(?:ml\.|cache\.|db\.)?"
            r"(?P<name>[A-Za-z][\w-]{0,40}(?:\.[a-z0-9-]{2,20})?)"
        ),
    ),
    Label(
        "an instance type of Azure",
        re.compile(r"\b(?P<name>Standard[ _][A-Z]{1,2}\d{1,3}\w{0,8}(?:[ _]v\d)?)\b"),
    ),
    Label(
        "a processor",
        re.compile(
            rf"^[ \t]{{0,60}}(?:CPU|Processor)[ \t]{{0,8}}: (?P<name>{WORDS})"
            r"(?: \(\d+\))?(?: @ [\d.]+ ?GHz)?[ \t\r]*$",
            re.MULTILINE,
        ),
    ),
    Label(
        "a GPU",
        re.compile(
            rf"^[ \t]{{0,60}}GPU(?: \d)?[ \t]{{0,8}}: (?P<name>{WORDS})[ \t\r]*$", re.MULTILINE
        ),
    ),
    Label(
        "a board",
        re.compile(
            r"^[ \t]{0,60}(?:Host|Model|Machine)[ \t]{0,12}: (?P<name>(?:Raspberry|NVIDIA|ODROID|Orange|"
            r"Banana|Rock|BeagleB)[\w ()+.-]{1,60}?)[ \t\r]*$",
            re.MULTILINE,
        ),
    ),
)
GRAPHICS = re.compile(r"\b(?:w/|with) (?P<gpu>Radeon[\w ]{1,24}?)(?: Graphics)?$")


def read(text: str) -> Iterator[Reading]:
    """Yield each machine that a label names."""
    for label in LABELS:
        for match in label.pattern.finditer(text):
            yield _reading(label, match)


def _reading(label: Label, match: re.Match[str]) -> Reading:
    form = Recognised(label.form, *match.span())
    name = match["name"].replace("_", " ").strip()
    name = product_name(board_name(GRAPHICS.sub("", name)))
    if not name:
        return Reading({}, recognised=(form,))
    body = {"hardware": {"model": name}}
    return Reading(body, (Fact("/hardware/model", *match.span("name")),), (), (form,), (name,))
