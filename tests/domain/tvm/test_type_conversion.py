"""TVM's conversion of values of another type."""

import pytest

from registry.domain.document import Json, is_same_json
from registry.domain.tvm.type_conversion import convert_value, option_type
from tests.domain.builders import KINDS


@pytest.mark.parametrize(
    ("value", "json_type", "read"),
    [
        (1, "boolean", True),
        (0, "boolean", False),
        (2, "boolean", True),
        (True, "boolean", True),
        (1.0, "boolean", 1.0),
        ("true", "boolean", "true"),
        (True, "integer", 1),
        (False, "integer", 0),
        (7, "integer", 7),
        (4.0, "integer", 4.0),
        ("4", "integer", "4"),
        (None, "integer", None),
        (True, "string", True),
        (1, "", 1),
    ],
)
def test_integers_and_booleans_convert_to_each_other(
    value: Json, json_type: str, read: Json
) -> None:
    assert is_same_json(convert_value(value, json_type), read)


@pytest.mark.parametrize(
    ("kind", "name", "type_name"),
    [
        ("llvm", "fast-math", "boolean"),
        ("llvm", "num-cores", "integer"),
        ("cuda", "max_threads_per_block", "integer"),  # by reference to a definition
        ("llvm", "mattr", "array"),
        ("llvm", "model", "string"),
        ("c", "num-cores", ""),  # another kind's
        ("sdaccel", "num-cores", ""),
        (None, "num-cores", "integer"),  # of a tag's override
        (None, "no-such", ""),
        ("c", "link-params", "boolean"),  # moved
        ("llvm", "unpacked-api", "boolean"),
        ("cuda", "system-lib", "boolean"),
        ("c", "interface-api", "string"),
    ],
)
def test_option_types(kind: str | None, name: str, type_name: str) -> None:
    assert option_type(kind, name, KINDS) == type_name
