"""Bodies as nobody writes them, and as people write them with one thing wrong."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.domain import strategies

WHOLE = ("acme/board", "acme/board@1", "acme/child", "acme/machine@1.0.0", "arm/soc:aot")
MIXINS = ("acme/patch", "micro/aot@1")
NAMES = (*WHOLE, *MIXINS, "acme/gone", "acme/gone@1.0.0", "acme/nothing", "acme/board@9", "nope")


def often(known: Sequence[Any], otherwise: SearchStrategy[Any]) -> SearchStrategy[Any]:
    """What is known, two times of three."""
    choices = st.sampled_from([st.sampled_from(known), st.sampled_from(known), otherwise])
    return choices.flatmap(lambda chosen: chosen)


good: SearchStrategy[Any] = st.one_of(
    strategies.bodies(WHOLE, MIXINS), strategies.targets, strategies.patches()
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
odd: SearchStrategy[Any] = st.one_of(
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
def spoilt(draw: DrawFn) -> Any:
    """A good body with something odd somewhere in it."""
    body = json.loads(json.dumps(draw(good)))
    for _ in range(draw(st.integers(1, 2))):
        _spoil(draw, body)
    return body


def _spoil(draw: DrawFn, value: Any) -> None:
    """Put something odd into an object or a list, at any depth."""
    places: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
    inner = [place for place in places if isinstance(value[place], dict | list) and value[place]]
    deeper: bool = draw(st.booleans())
    if inner and deeper:
        _spoil(draw, value[draw(st.sampled_from(inner))])
    elif isinstance(value, dict):
        value[draw(st.one_of(st.sampled_from([*places, *KEYS]), odd_texts))] = draw(odd)
    else:
        value.insert(draw(st.integers(0, len(value))), draw(odd))


def _with_key_twice(text: str) -> str:
    return text.replace("{", '{"kind": "c", "kind": "llvm", ', 1)


# Texts that are no JSON, or none that every reader agrees on.
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
    st.builds(lambda body: _with_key_twice(json.dumps(body)).encode(), good),
    st.builds(lambda body, end: json.dumps(body).encode()[:end], good, st.integers(0, 60)),
    st.binary(max_size=40),
)


def _written(body: Any) -> bytes:
    """As JSON; half a surrogate pair as the escape that it is."""
    return json.dumps(body).encode()


texts: SearchStrategy[bytes] = st.one_of(
    good.map(_written), spoilt().map(_written), spoilt().map(_written), odd.map(_written), broken
)
