"""Bodies that no registry has checked, before a verdict relies on them."""

from typing import Any

import pytest

from tests.client.compatibility.cases import BODIES, cpu
from ttag import TtagError, runs_on
from ttag.bodies import MAX_NODES, require_target
from ttag.errors import ExitCode

HASWELL = cpu("haswell")


def hosts(count: int) -> dict[str, Any]:
    """Return targets that enclose each other."""
    body = HASWELL
    for _ in range(count - 1):
        body = {"kind": "cuda", "host": body}
    return body


@pytest.mark.parametrize("name", BODIES)
def test_bodies_with_the_shape_of_targets_are_taken(name: str) -> None:
    assert require_target(BODIES[name], "It") is BODIES[name]


@pytest.mark.parametrize(
    "body",
    [
        {"kind": "composite", "devices": {"cpu": HASWELL, "gpu": {"kind": "cuda"}}},
        {**HASWELL, "mattr": []},
        {**HASWELL, "mattr": ["-aes", "+v8.2a", "+3dnow"]},
        {**HASWELL, "model": 7, "other": {"tag": "acme/board"}},
        hosts(MAX_NODES),
    ],
)
def test_other_options_may_have_any_shape(body: dict[str, Any]) -> None:
    assert require_target(body, "It") is body


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (None, r"It is no body: expected a JSON object \(the whole\)"),
        ([HASWELL], "expected a JSON object"),
        (5, "expected a JSON object"),
        ("acme/board", "names a parent"),
        ({"tag": "acme/board"}, r"names a parent \(the whole\)"),
        ({**HASWELL, "tag": "acme/board"}, "names a parent"),
        ({"kind": "cuda", "host": "acme/board"}, r"names a parent \(/host\)"),
        ({"kind": "cuda", "host": None}, r"expected a JSON object \(/host\)"),
        ({"kind": 5}, r"expected a text \(/kind\)"),
        ({**HASWELL, "mcpu": ["haswell"]}, r"expected a text \(/mcpu\)"),
        ({**HASWELL, "mtriple": None}, r"expected a text \(/mtriple\)"),
        ({**HASWELL, "mattr": "+avx512f"}, r'such as \["\+avx2"\] \(/mattr\)'),
        ({**HASWELL, "mattr": ["avx512f"]}, "/mattr"),
        ({**HASWELL, "mattr": ["+", "-"]}, "/mattr"),
        ({**HASWELL, "mattr": [["+avx512f"]]}, "/mattr"),
        ({**HASWELL, "cl-opt": "-x"}, r'such as \["--option=value"\] \(/cl-opt\)'),
        ({"kind": "composite"}, "a composite without devices"),
        ({"kind": "composite", "devices": []}, "a composite without devices"),
        ({"kind": "composite", "devices": 5}, r"expected a JSON object \(/devices\)"),
        ({"kind": "composite", "devices": [HASWELL, 5]}, r"JSON object \(/devices/1\)"),
        ({"kind": "composite", "devices": {"a/b": {"mcpu": 5}}}, r"text \(/devices/a~1b/mcpu\)"),
        (hosts(MAX_NODES + 1), "more than 16 targets enclose each other"),
    ],
)
def test_other_shapes_are_refused_on_both_sides(body: Any, message: str) -> None:
    with pytest.raises(TtagError, match=message) as error:
        require_target(body, "It")
    assert error.value.exit_code == ExitCode.REFUSED
    if not isinstance(body, str):
        for sides in ((body, HASWELL), (HASWELL, body)):
            with pytest.raises(TtagError):
                runs_on(*sides)
