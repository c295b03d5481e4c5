"""HTTP examples in the documents: parsed, sent to the application, compared with the response.

The rules of comparison are those at the top of docs/api.md.
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

ELLIPSIS = "…"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
ORIGIN = "http://127.0.0.1:8000"
FORM = "application/x-www-form-urlencoded"  # curl's default for -d


@dataclass(frozen=True, slots=True)
class Request:
    """A request of an example."""

    method: str
    path: str
    headers: dict[str, str] = field(default_factory=dict)
    body: str = ""

    def send(
        self, token: str, identity_token: str = "", proposing_token: str = ""
    ) -> HttpResponseBase:
        """Send the request without cookies, and return the response."""
        body = self.body.replace("$IDENTITY_TOKEN", identity_token)
        headers = {
            name: value.replace("$TOKEN", token).replace("$PROPOSING_TOKEN", proposing_token)
            for name, value in self.headers.items()
        }
        media_type = headers.pop("Content-Type", FORM)
        client = Client(enforce_csrf_checks=True)
        response: HttpResponseBase = client.generic(
            self.method, self.path, body, content_type=media_type, headers=headers
        )
        return response


def parse_http(text: str) -> Request:
    """Parse a request in the form of an HTTP/1.1 message."""
    head, _, body = text.partition("\n\n")
    first, *lines = head.splitlines()
    method, path, version = first.split(" ")
    assert version == "HTTP/1.1", first
    return Request(method, path, _headers(lines), body.strip())


def parse_curl(words: list[str]) -> Request:
    """Parse the arguments of curl. Raise ValueError for an option that is not supported here."""
    method, url, body = "", "", ""
    headers: dict[str, str] = {}
    remaining = iter(words)
    for word in remaining:
        match word:
            case "-X":
                method = next(remaining)
            case "-H":
                headers |= _headers([next(remaining)])
            case "-d":
                body = next(remaining)
            case _ if word.startswith(ORIGIN) and not url:
                url = word.removeprefix(ORIGIN)
            case _:
                raise ValueError(f"the tests do not support the option {word} of curl")
    return Request(method or ("POST" if body else "GET"), url, headers, body)


def split_commands(text: str) -> list[list[str]]:
    """Split a shell block into commands, and these into words. A backslash joins lines."""
    return [shlex.split(line) for line in text.replace("\\\n", " ").splitlines() if line]


def _headers(lines: list[str]) -> dict[str, str]:
    return dict(line.split(": ", 1) for line in lines)


def response_differences(example: str, response: HttpResponseBase) -> list[str]:
    """List how a response differs from an example in the form of an HTTP/1.1 message."""
    head, _, body = example.partition("\n\n")
    first, *lines = head.splitlines()
    status_line = f"HTTP/1.1 {response.status_code} {response.reason_phrase}"
    messages = [] if first == status_line else [f"expected {first!r}, got {status_line!r}"]
    for name, value in _headers(lines).items():
        if not _matches(value, response.headers.get(name, "")):
            messages.append(f"{name}: expected {value}, got {response.headers.get(name)!r}")
    return [*messages, *body_differences(body, response)]


def body_differences(example: str, response: HttpResponseBase) -> list[str]:
    """List how a response's body differs from the example; an empty example matches any body."""
    text = getattr(response, "content", b"").decode()
    if not example.strip():
        return []
    if "json" in response.headers.get("Content-Type", ""):
        return list(value_differences(json.loads(example), json.loads(text)))
    if _matches(example.strip(), text.strip()):
        return []
    return [f"expected {example!r}, got {text!r}"]


def value_differences(expected: Any, actual: Any, pointer: str = "") -> Iterator[str]:
    """Yield how a JSON value differs from the example. `…` matches any text or further items."""
    match expected, actual:
        case dict(), dict():
            yield from _member_differences(expected, actual, pointer)
        case list(), list():
            items = expected[:-1] if expected[-1:] == [ELLIPSIS] else expected
            if len(actual) < len(items) or (items is expected and len(actual) > len(items)):
                yield f"{pointer}: expected {len(items)} items, got {len(actual)}"
            for index, (left, right) in enumerate(zip(items, actual, strict=False)):
                yield from value_differences(left, right, f"{pointer}/{index}")
        case str(), str():
            if not _matches(expected, actual):
                yield f"{pointer}: expected {expected!r}, got {actual!r}"
        case "…", int() | str():
            return
        case _:
            if type(expected) is not type(actual) or expected != actual:
                yield f"{pointer}: expected {expected!r}, got {actual!r}"


def _member_differences(
    expected: dict[str, Any], actual: dict[str, Any], pointer: str
) -> Iterator[str]:
    names = [name for name in expected if name != ELLIPSIS]
    present = [name for name in actual if name in names or ELLIPSIS not in expected]
    if sorted(names) != sorted(present):
        yield f"{pointer}: expected the members {names}, got {present}"
    elif names != present and ELLIPSIS not in expected:
        yield f"{pointer}: expected the members in the order {names}, got {present}"
    for name in names:
        if name in actual:
            yield from value_differences(expected[name], actual[name], f"{pointer}/{name}")


def _matches(expected: str, actual: str) -> bool:
    if TIME.fullmatch(expected):
        return bool(TIME.fullmatch(actual))
    pattern = re.sub(r"([*?[])", r"[\1]", expected).replace(ELLIPSIS, "*")
    return fnmatchcase(actual, pattern)
