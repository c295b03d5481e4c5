"""Generate bodies that are invalid, or valid except for a small mistake."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.domain import strategies

TARGETS = ("acme/board", "acme/board@1", "acme/child", "acme/machine@1.0.0", "arm/soc:aot")
MIXINS = ("acme/patch", "micro/aot@1")
NAMES = (*TARGETS, *MIXINS, "acme/gone", "acme/gone@1.0.0", "acme/nothing", "acme/board@9", "nope")


def often(names: Sequence[Any], otherwise: SearchStrategy[Any]) -> SearchStrategy[Any]:
    """Draw one of the names in two of three cases."""
    choices = st.sampled_from([st.sampled_from(names), st.sampled_from(names), otherwise])
    return choices.flatmap(lambda chosen: chosen)


valid: SearchStrategy[Any] = st.one_of(
    strategies.bodies(TARGETS, MIXINS), strategies.targets, strategies.patches()
)

odd_texts = st.one_of(
    st.sampled_from(
        ["", " ", "\u202e", "\ufeff", "é", "🎯", "\x7f", "\r\n", "$append", "../..", "/"]
    ),
    st.sampled_from(NAMES),
    st.integers(250, 2100).map(lambda length: "x" * length),
    st.text(max_size=6),
)
edits = st.dictionaries(
    st.sampled_from(["$append", "$remove", "$set", "$"]), strategies.documents, max_size=2
)
odd_numbers = st.one_of(
    st.sampled_from([0, -1, 2**53, -(2**53), 2**63, 2**64, 10**400, 0.5, -0.0, 1e308, 5e-324]),
    st.integers(),
)
invalid: SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    odd_numbers,
    odd_texts,
    edits,
    strategies.documents,
    st.lists(st.sampled_from(NAMES), max_size=20),
    st.builds(lambda name: {"tag": name}, st.sampled_from(NAMES)),
    st.integers(1, 40).map(lambda depth: json.loads('{"d":' * depth + "1" + "}" * depth)),
)
KEYS = (
    "kind",
    "tag",
    "host",
    "devices",
    "executor",
    "runtime",
    "flow",
    "hardware",
    "mattr",
    "keys",
)


@st.composite
def corrupted(draw: DrawFn) -> Any:
    """Draw a valid body and put an invalid value into it."""
    body = json.loads(json.dumps(draw(valid)))
    for _ in range(draw(st.integers(1, 2))):
        _corrupt(draw, body)
    return body


def _corrupt(draw: DrawFn, value: Any) -> None:
    """Put an invalid value into an object or a list, at any depth."""
    places: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
    inner = [place for place in places if isinstance(value[place], dict | list) and value[place]]
    deeper: bool = draw(st.booleans())
    if inner and deeper:
        _corrupt(draw, value[draw(st.sampled_from(inner))])
    elif isinstance(value, dict):
        value[draw(st.one_of(st.sampled_from([*places, *KEYS]), odd_texts))] = draw(invalid)
    else:
        value.insert(draw(st.integers(0, len(value))), draw(invalid))


def _with_key_twice(text: str) -> str:
    return text.replace("{", '{"kind": "c", "kind": "llvm", ', 1)


# Texts that are not JSON, or that parsers read differently.
broken: SearchStrategy[bytes] = st.one_of(
    st.sampled_from(
        [
            b'{"kind": "llvm", "num-cores": NaN}',
            b'{"kind": "llvm", "num-cores": -Infinity}',
            b'{"kind": "llvm", "num-cores": 1e999}',
            b'{"kind": "llvm", "num-cores": 01}',
            b'{"kind": "llvm", "num-cores": ' + b"9" * 5000 + b"}",
            b'{"kind": "llvm", "model": "\\ud800"}',
            b'{"kind": "llvm", "model": "\\u0000"}',
            b'{"kind": "llvm", "model": "\xff\xfe"}',
            b'{"kind": "llvm", "model": "\xed\xa0\x80"}',
            b'{"kind": "llvm", "model": "' + b"x" * 70_000 + b'"}',
            b'{"kind": "llvm", "mattr": [' + b'"+a",' * 9_000 + b'"+a"]}',
            b"\xef\xbb\xbf{}",
            b"",
            b"}",
            b'{}, "message": 1',
            b'{"kind": "llvm"} {}',
        ]
    ),
    st.integers(90, 70_000).map(lambda depth: b"[" * depth),
    st.integers(90, 10_000).map(lambda depth: b'{"d":' * depth + b"1" + b"}" * depth),
    st.builds(lambda body: _with_key_twice(json.dumps(body)).encode(), valid),
    st.builds(lambda body, end: json.dumps(body).encode()[:end], valid, st.integers(0, 60)),
    st.binary(max_size=40),
)


def _encode(body: Any) -> bytes:
    """Return JSON with every surrogate escaped."""
    return json.dumps(body).encode()


texts: SearchStrategy[bytes] = st.one_of(
    valid.map(_encode),
    corrupted().map(_encode),
    corrupted().map(_encode),
    invalid.map(_encode),
    broken,
)
