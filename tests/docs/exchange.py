"""Examples of HTTP: read from the documents, sent to the application, compared with its answers.

The rule of comparison is the one that docs/api.md states at its head.
"""

import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from django.http import HttpResponseBase
from django.test import Client

MORE = "…"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
ORIGIN = "http://127.0.0.1:8000"
FORM = "application/x-www-form-urlencoded"  # what curl says of -d


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent."""

    method: str
    path: str
    headers: dict[str, str] = field(default_factory=dict)
    body: str = ""

    def send(self, token: str) -> HttpResponseBase:
        """Send it as a program without cookies would."""
        headers = {name: value.replace("$TOKEN", token) for name, value in self.headers.items()}
        media_type = headers.pop("Content-Type", FORM)
        client = Client(enforce_csrf_checks=True)
        answer: HttpResponseBase = client.generic(
            self.method, self.path, self.body, content_type=media_type, headers=headers
        )
        return answer


def of_http(text: str) -> Request:
    """A request as HTTP/1.1 writes it."""
    head, _, body = text.partition("\n\n")
    first, *lines = head.splitlines()
    method, path, version = first.split(" ")
    assert version == "HTTP/1.1", first
    return Request(method, path, _headers(lines), body.strip())


def of_curl(words: list[str]) -> Request:
    """A request as the arguments of curl; an option not known here is an error."""
    method, url, body = "", "", ""
    headers: dict[str, str] = {}
    rest = iter(words)
    for word in rest:
        match word:
            case "-X":
                method = next(rest)
            case "-H":
                headers |= _headers([next(rest)])
            case "-d":
                body = next(rest)
            case _ if word.startswith(ORIGIN) and not url:
                url = word.removeprefix(ORIGIN)
            case _:
                raise ValueError(f"the tests do not know what curl does with {word}")
    return Request(method or ("POST" if body else "GET"), url, headers, body)


def commands(text: str) -> list[list[str]]:
    """The commands of a shell block, in words. Lines that end in a backslash go on."""
    return [shlex.split(line) for line in text.replace("\\\n", " ").splitlines() if line]


def _headers(lines: list[str]) -> dict[str, str]:
    return dict(line.split(": ", 1) for line in lines)


def differences(shown: str, answer: HttpResponseBase) -> list[str]:
    """How an answer differs from the one that is shown as HTTP/1.1 writes it."""
    head, _, body = shown.partition("\n\n")
    first, *lines = head.splitlines()
    there = f"HTTP/1.1 {answer.status_code} {answer.reason_phrase}"
    found = [] if first == there else [f"{first!r} is shown, {there!r} was answered"]
    for name, value in _headers(lines).items():
        if not _alike(value, answer.headers.get(name, "")):
            found.append(f"{name}: {value} is shown, {answer.headers.get(name)!r} was answered")
    return [*found, *body_differences(body, answer)]


def body_differences(shown: str, answer: HttpResponseBase) -> list[str]:
    """How an answer's body differs from the one that is shown; nothing where none is shown."""
    text = getattr(answer, "content", b"").decode()
    if not shown.strip():
        return []
    if "json" in answer.headers.get("Content-Type", ""):
        return list(unlike(json.loads(shown), json.loads(text)))
    return [] if _alike(shown.strip(), text.strip()) else [f"{shown!r} is shown, not {text!r}"]


def unlike(shown: Any, found: Any, place: str = "") -> Iterator[str]:
    """Where a value differs from the one shown. `…` stands for any text, or for more of a kind."""
    match shown, found:
        case dict(), dict():
            yield from _unlike_members(shown, found, place)
        case list(), list():
            expected = shown[:-1] if shown[-1:] == [MORE] else shown
            if len(found) < len(expected) or (expected is shown and len(found) > len(shown)):
                yield f"{place}: {len(expected)} items are shown, {len(found)} are there"
            for index, (left, right) in enumerate(zip(expected, found, strict=False)):
                yield from unlike(left, right, f"{place}/{index}")
        case str(), str():
            if not _alike(shown, found):
                yield f"{place}: {shown!r} is shown, {found!r} is there"
        case _:
            if type(shown) is not type(found) or shown != found:
                yield f"{place}: {shown!r} is shown, {found!r} is there"


def _unlike_members(shown: dict[str, Any], found: dict[str, Any], place: str) -> Iterator[str]:
    names = [name for name in shown if name != MORE]
    there = [name for name in found if name in names or MORE not in shown]
    if sorted(names) != sorted(there):
        yield f"{place}: the members {names} are shown, {there} are there"
    elif names != there and MORE not in shown:
        yield f"{place}: the members are shown as {names}, they stand as {there}"
    for name in names:
        if name in found:
            yield from unlike(shown[name], found[name], f"{place}/{name}")


def _alike(shown: str, found: str) -> bool:
    if TIME.fullmatch(shown):
        return bool(TIME.fullmatch(found))
    pattern = re.sub(r"([*?[])", r"[\1]", shown).replace(MORE, "*")
    return fnmatchcase(found, pattern)
