"""Names of machines behind a label: `CPU:`, `device_name=`, the type of a cloud instance."""

from __future__ import annotations

import re
from collections.abc import Iterator

from registry.domain.identify.devices import MODEL, PrintedGpu
from registry.domain.identify.readings import Fact, Reading, Recognised
from ttag_rules.probe.facts import Device
from ttag_rules.probe.names import board_name, product_name

WORDS = r"[A-Za-z][\w ()+./@,-]{1,90}?"


# The form of each label, and the label with the `name` of a machine after it.
LABELS: tuple[tuple[str, re.Pattern[str]], ...] = (
    # vLLM and SGLang write blanks as underscores.
    (
        "a tuned kernel's file name",
        re.compile(r"device_name=(?P<name>[A-Z]\w[\w-]{1,60}?)(?=,|\.json|\s|$)"),
    ),
    (
        "an instance type",
        re.compile(
            r"(?i:instance[_-]?type|machine[_-]?type|vm[_-]?size)\W{1,6}(?:ml\.|cache\.|db\.)?"
            r"(?P<name>[A-Za-z][\w-]{0,40}(?:\.[a-z0-9-]{2,20})?)"
        ),
    ),
    (
        "an instance type of Azure",
        re.compile(r"\b(?P<name>Standard[ _][A-Z]{1,2}\d{1,3}\w{0,8}(?:[ _]v\d)?)\b"),
    ),
    (
        "a processor",
        re.compile(
            rf"^[ \t]{{0,60}}(?:CPU|Processor)[ \t]{{0,8}}: (?P<name>{WORDS})"
            r"(?: \(\d+\))?(?: @ [\d.]+ ?GHz)?[ \t\r]*$",
            re.MULTILINE,
        ),
    ),
    (
        "a GPU",
        re.compile(
            rf"^[ \t]{{0,60}}GPU(?: \d)?[ \t]{{0,8}}: (?P<name>{WORDS})[ \t\r]*$", re.MULTILINE
        ),
    ),
    (
        "a board",
        re.compile(
            r"^[ \t]{0,60}(?:Host|Model|Machine)[ \t]{0,12}: "
            r"(?P<name>(?:Raspberry|NVIDIA|ODROID|Orange|Banana|Rock|BeagleB)"
            r"[\w ()+.-]{1,60}?)[ \t\r]*$",
            re.MULTILINE,
        ),
    ),
)
GRAPHICS = re.compile(r"(?:\bw/|\bwith) (?P<gpu>Radeon \d{3}M\w?)(?: Graphics)?\b")


def read(text: str) -> Iterator[Reading]:
    """Yield each machine that a label names, and the GPU that the name of a processor has."""
    for form, pattern in LABELS:
        for match in pattern.finditer(text):
            yield _reading(form, match)
    for match in GRAPHICS.finditer(text):
        gpu = Device("rocm", {"keys": ["rocm", "gpu"]}, "AMD", match["gpu"])
        places = {MODEL: match.span("gpu")}
        yield PrintedGpu(gpu, "the GPU of a processor", *match.span(), places).reading()


def _reading(label: str, match: re.Match[str]) -> Reading:
    name = match["name"].replace("_", " ").strip()
    graphics = GRAPHICS.search(name)
    end = match.start("name") + graphics.start() if graphics else match.end()
    form = Recognised(label, match.start(), end)
    name = product_name(board_name(name[: graphics.start()].strip() if graphics else name))
    if not any(character.isdigit() for character in name):
        return Reading({}, recognised=(form,))  # a line of products at best
    body = {"hardware": {"model": name}}
    return Reading(body, (Fact(MODEL, match.start("name"), end),), (), (form,), (name,))
