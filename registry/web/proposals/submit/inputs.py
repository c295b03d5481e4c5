"""The inputs of a form, as its templates show them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote

from django.urls import reverse_lazy
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from registry.web.proposals.submit.form_errors import FormError

WHITE_SPACE = re.compile(r"\s")  # not allowed in an HTML id
Choices = Sequence[tuple[str, str]]  # values and their labels


def suggest_tags(**query: str) -> dict[str, Any]:
    """Return the attributes of an input that suggests tags; the query says how."""
    return {"data-suggest": reverse_lazy("suggestions", query=query)}


@dataclass(frozen=True, slots=True)
class Input:
    """An input with its label, text, unit, help and errors.

    It is a select if it has choices, a text area if it has `lines`, else a line of text. Texts that
    `is_name` are in the font of code and not spelled. `described` are ids beside its own.
    """

    name: str
    label: str
    text: str
    lines: int = 0
    choices: Choices = ()
    help: str | SafeString = ""
    description: str = ""
    unit: str = ""
    hint: str = ""
    is_name: bool = True
    is_required: bool = False
    is_wide: bool = False
    is_fact: bool = False  # its label is in words
    described: str = ""
    attrs: Mapping[str, Any] = field(default_factory=dict)
    errors: Sequence[str] = ()

    @property
    def id(self) -> str:
        """Return the name as an HTML id."""
        return WHITE_SPACE.sub("_", self.name)

    @property
    def href(self) -> str:
        """Return the link to the input."""
        return f"#{quote(self.id, safe='/:')}"

    @property
    def attributes(self) -> SafeString:
        """Return the attributes of the element besides its text."""
        pairs: dict[str, Any] = {"name": self.name, "id": self.id}
        if self.is_name and not self.choices:
            pairs |= {"class": "name", "autocapitalize": "none", "spellcheck": "false"}
        if self.lines:
            pairs["rows"] = self.lines
        if self.hint and not self.choices:
            pairs["placeholder"] = self.hint
        if self.is_required:
            pairs["aria-required"] = "true"
        if self.errors:
            pairs["aria-invalid"] = "true"
        if self._described_by:
            pairs["aria-describedby"] = self._described_by
        return format_html_join(" ", '{}="{}"', (pairs | {**self.attrs}).items())

    @property
    def _described_by(self) -> str:
        parts = {
            "error": self.errors,
            "unit": self.unit,
            "helptext": self.help or self.description,
        }
        ids = [f"{self.id}_{part}" for part, value in parts.items() if value]
        return " ".join(filter(None, [*ids, self.described]))


def errors_by_name(problems: Iterable[FormError]) -> dict[str, list[str]]:
    """Return the messages of the errors of each input."""
    messages: dict[str, list[str]] = {}
    for problem in problems:
        messages.setdefault(problem.name, []).append(problem.message)
    return messages


def with_errors(inputs: Iterable[Input], problems: Iterable[FormError]) -> dict[str, Input]:
    """Return the inputs by name, each with its errors."""
    errors = errors_by_name(problems)
    return {input.name: replace(input, errors=errors.get(input.name, ())) for input in inputs}


@dataclass(frozen=True, slots=True)
class LinkedError:
    """An error or a warning with a link to its input or its line; both are empty without one."""

    message: str
    href: str = ""
    label: str = ""


def link_errors(problems: Iterable[FormError], inputs: Mapping[str, Input]) -> list[LinkedError]:
    """Return the errors with links, given the inputs of the page by name."""
    return [_link(problem, inputs.get(problem.name)) for problem in problems]


def _link(problem: FormError, input: Input | None) -> LinkedError:
    if problem.line:
        place = problem.place[:1].upper() + problem.place[1:]
        return LinkedError(problem.message, f"#line-{problem.line}", place)
    if input is None:
        return LinkedError(problem.message)
    label = ", ".join(filter(None, [input.label, problem.place]))
    return LinkedError(problem.message, input.href, label)
