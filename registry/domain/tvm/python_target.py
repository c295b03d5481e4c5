"""Read Python's calls and literals for targets as a JSON target of TVM."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from registry.domain.document import LONE_SURROGATE, Json
from registry.domain.errors import Fault, echo, refuse_all
from registry.domain.names.near_names import nearest_names
from registry.domain.tvm import factories
from registry.domain.tvm.internal_options import FROM_DEVICE, from_device_fault
from registry.domain.tvm.json_target import TargetReader
from registry.domain.tvm.python_text import EXPECTED, parse_python, position_of
from registry.domain.tvm.source_locations import WHOLE
from ttag_rules.nodes import HOST
from ttag_rules.pointer import ROOT, child

CONSTRUCTORS = ("Target", "create")
WITH_HOST = "with_host"
PARAMETERS = ("target", "tag_or_str_or_dict")  # of `Target`, by release; `host` comes after it
BITS = 63  # of an integer in JSON, without its sign
OF_MODEL = frozenset({*factories.LINES} - {"stm32", "riscv_cpu", "rasp"})  # and unknown by default


@dataclass(slots=True)
class PythonReader:
    """Reads a Python text; faults and notes are among the target reader's findings."""

    text: str
    reader: TargetReader

    def read(self) -> Json:
        """Return the JSON target, or the text if the source is one. Raises `Refused`."""
        expression = parse_python(self.text)
        value = self._value(expression, ROOT)
        return value if isinstance(expression, ast.Constant) else self._node(value, ROOT)

    def literal(self) -> Json:
        """Return the value of a literal without calls. Raises `Refused`."""
        expression = parse_python(self.text)
        if any(isinstance(node, ast.Call) for node in ast.walk(expression)):
            self._fault(ROOT, "a call is not a literal")
        value = self._value(expression, ROOT)
        refuse_all(self.reader.findings.faults)
        return value

    def _value(self, node: ast.expr, pointer: str) -> Json:
        """Return the JSON value of an expression; None if it has none."""
        self._locate(node, pointer)
        match node:
            case ast.Constant(value):
                return self._constant(value, pointer)
            case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as number)):
                return self._constant(-number, pointer)
            case ast.BinOp(left, ast.Add(), right):
                texts = self._value(left, pointer), self._value(right, pointer)
                self._locate(node, pointer)
                if all(isinstance(text, str) for text in texts):
                    return "".join(map(str, texts))
            case ast.List(items) | ast.Tuple(items):
                return [self._value(item, child(pointer, i)) for i, item in enumerate(items)]
            case ast.Dict():
                return self._dict(node, pointer)
            case ast.Call():
                return self._call(node, pointer)
            case ast.Name(name):
                return self._fault(pointer, f"the value of {echo(name)} is not stated")
        return self._fault(pointer, "this is neither a literal nor a target")

    def _locate(self, node: ast.expr, pointer: str) -> None:
        place = position_of(node, self.text)
        label = f"line {place.line}, column {place.column}" if pointer else ""
        self.reader.findings.locations[pointer] = WHOLE.within(label, place)

    def _constant(self, value: object, pointer: str) -> Json:
        if isinstance(value, str) and LONE_SURROGATE.search(value):
            return self._fault(pointer, "the text contains half of a surrogate pair")
        # Python's integers have no end: beyond 64 bits, what shows the body in JSON fails.
        if isinstance(value, int) and value.bit_length() > BITS:
            value = float(str(value))
        if isinstance(value, float) and not math.isfinite(value):
            return self._fault(pointer, "the number is not finite")
        if value is None or isinstance(value, (str, bool, int, float)):
            return value
        return self._fault(pointer, f"{echo(value)} is not a value of JSON")

    def _dict(self, node: ast.Dict, pointer: str) -> dict[str, Json]:
        members: dict[str, Json] = {}
        for key, item in zip(node.keys, node.values, strict=True):
            if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
                self._fault(pointer, "a key is not a text")
            elif key.value in members:
                self._fault(pointer, f"the key {echo(key.value)} occurs twice")
            else:
                members[key.value] = self._value(item, child(pointer, key.value))
        return members

    def _call(self, node: ast.Call, pointer: str) -> Json:
        match node.func:
            case ast.Attribute(value=ast.Call() as target, attr=attr) if attr == WITH_HOST:
                arguments = self._arguments(node, (HOST,), pointer)
                return self._with_host(self._value(target, pointer), arguments, pointer)
        path = _dotted_name(node.func)
        name = path.rpartition(".")[2]
        if name == FROM_DEVICE:
            self.reader.findings.report(from_device_fault(pointer))
            return None
        if name in CONSTRUCTORS:
            arguments = self._arguments(node, (PARAMETERS[0], HOST), pointer)
            stated = next((arguments[key] for key in PARAMETERS if key in arguments), None)
            if stated is None:
                return self._fault(pointer, f"{path} has no target")
            value = self._value(stated, pointer)
            return self._with_host(value, arguments, pointer) if HOST in arguments else value
        if name in factories.NAMES:
            return self._function(name, node, pointer)
        near = nearest_names(name, [*CONSTRUCTORS, *factories.NAMES])
        return self._fault(pointer, f"{echo(path) or 'this'} is not a call that is read", near)

    def _arguments(self, node: ast.Call, names: Sequence[str], pointer: str) -> dict[str, ast.expr]:
        """Return the arguments of a call by the names of its parameters."""
        arguments = dict(zip(names, node.args, strict=False))
        if len(node.args) > len(names):
            self._fault(pointer, f"{len(node.args)} arguments are more than {len(names)}")
        for keyword in node.keywords:
            name = keyword.arg or ""
            if name not in (*names, *PARAMETERS) or name in arguments:
                self._fault(pointer, f"the argument {echo(name)} is not expected")
            arguments[name] = keyword.value
        return arguments

    def _with_host(self, value: Json, arguments: Mapping[str, ast.expr], pointer: str) -> Json:
        node = self._node(value, pointer)
        host = self._value(arguments[HOST], child(pointer, HOST)) if HOST in arguments else None
        if host is None:
            return node
        if node.get(HOST) is not None:
            message = "the host that is given last replaces the target's own"
            self.reader.findings.note(child(pointer, HOST), message)
        return {**node, HOST: host}

    def _function(self, name: str, node: ast.Call, pointer: str) -> Json:
        """Return the target of a function such as `tvm.target.cuda`."""
        if name == factories.HEXAGON and len(node.args) > 1:
            return self._fault(pointer, "only the version of hexagon is stated without a name")
        arguments = {
            key: self._value(item, child(pointer, key))
            for key, item in self._arguments(node, factories.PARAMETERS[name], pointer).items()
        }
        if self.reader.findings.faults:
            return None
        try:
            made = factories.call_factory(name, arguments)
        except factories.FactoryError as error:
            return self._fault(pointer, str(error), error.near)
        for message in made.notes:
            self.reader.findings.note(pointer, message)
        target = self._node(made.line, pointer)
        for key in sorted(target.keys() & made.stated.keys()):
            if target[key] != made.stated[key]:
                message = f"options states another {key} than {echo(made.stated[key])}"
                return self._fault(pointer, message)
        result = {**target, **made.stated}
        if name in OF_MODEL and "model" not in result:
            message = f"the model is {factories.UNKNOWN}, as the function {name} states it"
            self.reader.findings.note(pointer, message)
            result["model"] = factories.UNKNOWN
        return result

    def _node(self, value: Json, pointer: str) -> dict[str, Any]:
        """Return the object for a target; empty if it is invalid."""
        if isinstance(value, str):
            value = self.reader.parse_text(value, pointer)
        if isinstance(value, str):
            return {"tag" if "/" in value else "kind": value}
        if isinstance(value, dict):
            return value
        if not self.reader.findings.faults:
            self._fault(pointer, f"{echo(value)} is not a target")
        return {}

    def _fault(self, pointer: str, message: str, near: tuple[str, ...] = ()) -> Json:
        """Report a fault; return None, the value of an invalid expression."""
        fault = Fault(pointer, "PYTHON_INVALID", message, EXPECTED, suggestions=near)
        self.reader.findings.report(fault)
        return None


def _dotted_name(node: ast.expr) -> str:
    """Return a name such as `tvm.target.Target`; empty if the expression is not one."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return ".".join(reversed([*names, node.id])) if isinstance(node, ast.Name) else ""
