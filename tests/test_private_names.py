"""Names that libraries do not document: where the product uses them, and that they still exist.

A row of `USES` is a debt. When a library moves, the failing row says what to change; a new use
fails until somebody has looked for a documented way and given the reason here.
"""

import argparse
import ast
import inspect
from collections import defaultdict
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import AbstractHTTPHandler

import pytest
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows import reauthentication
from django.contrib.auth import middleware as django_auth
from django.db.models import Manager
from django.db.models.sql.compiler import SQLCompiler
from django.http import HttpRequest, request as django_request
from drf_spectacular.openapi import AutoSchema
from prometheus_client import CollectorRegistry, Histogram
from rest_framework.request import Request

ROOT = Path(__file__).parent.parent
PRODUCT = ("registry", "client/ttag", "client/ttag_rules", "manage.py", "sbom.py")
DOCUMENTED = frozenset(
    {
        *("_meta", "_state", "_base_manager", "_default_manager"),  # Django's models
        *("_asdict", "_fields", "_make", "_replace"),  # named tuples
    }
)
ACCESSORS = frozenset({"getattr", "hasattr", "setattr", "delattr"})


class Use(NamedTuple):
    """Private names of a library in a file, or in files that match a pattern."""

    path: str
    names: frozenset[str]
    owner: object  # what must have the names; None if it is not installed here
    breaks: str  # what breaks if the library renames them


def use(path: str, *names: str, owner: object, breaks: str) -> Use:
    return Use(path, frozenset(names), owner, breaks)


USES = [
    use(
        "client/ttag/cli/parser.py",
        "_actions",
        "_check_value",
        "_option_string_actions",
        owner=argparse.ArgumentParser(),
        breaks="completion, help and suggestions of `ttag`; argparse cannot list its arguments",
    ),
    use(
        "client/ttag/tvm/relax_build.py",
        "_vmcodegen",
        "_filter_tir",
        "_is_device_module",
        "_ffi_api",
        owner=None,  # TVM; tests/tvm call it
        breaks="builds for several devices: tvm.relax.build has no step to offload functions",
    ),
    use(
        "registry/api/core/docs.py",
        "_request",
        owner=Request(HttpRequest()),
        breaks="the API's reference: templates show who is signed in, not whose token was sent",
    ),
    use(
        "registry/api/versions/resolve.py",
        "_request",
        owner=Request(HttpRequest()),
        breaks="resolving: DRF's request has Django's attributes, but takes longer to find them",
    ),
    use(
        "registry/api/core/fields.py",
        "_map_serializer_field",
        owner=AutoSchema,
        breaks="the OpenAPI document: the shape of stored JSON",
    ),
    use(
        "registry/api/core/openapi_schema.py",
        "_get_response_bodies",
        "_get_response_for_code",
        owner=AutoSchema,
        breaks="the OpenAPI document: responses 304, and requests without unknown members",
    ),
    use(
        "registry/http/access_log.py",
        "_cached_user",
        owner=inspect.getsource(django_auth.get_user),
        breaks="the user in the access log; `request.user` would query for every response",
    ),
    use(
        "registry/http/reauthentication.py",
        "did_recently_reauthenticate",
        "record_authentication",
        "resume_request",
        "get_authentication_records",
        "get_reauthentication_flows",
        owner=reauthentication,
        breaks="asking for the password again, and not after signing up; allauth's decorator "
        "cannot ask in a service, and asks nothing of who only has an identity",
    ),
    use(
        "registry/services/core/durations.py",
        "_buckets",
        "_sum",
        "_upper_bounds",
        owner=Histogram("x", "-", registry=CollectorRegistry()),
        breaks="/metrics with answers from memory, which are counted many at a time",
    ),
    use(
        "registry/services/operations/restore.py",
        "_insert",
        owner=Manager,
        breaks="restoring: `bulk_create` would give rows new dates",
    ),
    use(
        "registry/web/accounts/adapter.py",
        "_get_login_attempts_cache_key",
        owner=DefaultAccountAdapter,
        breaks="the limit of failed sign-ins, which would lock owners out of their accounts",
    ),
]

# Names without an underscore that the library's documentation does not have either.
UNDOCUMENTED = [
    use(
        "registry/services/core/timed_http.py",
        "do_open",
        owner=AbstractHTTPHandler,
        breaks="the deadline for keys of identity providers: it opens connections of our class",
    ),
    use(
        "registry/models/prepared_queries.py",
        "annotation_col_map",
        "apply_converters",
        "get_converters",
        "klass_info",
        "select",
        owner=inspect.getsource(SQLCompiler),
        breaks="resolving: `Statement.compile` reads the columns of a queryset from its compiler",
    ),
    use(
        "registry/server/memory.py",
        "split_domain_port",
        "validate_host",
        owner=django_request,
        breaks="answers from memory: `_is_allowed` accepts the hosts that Django accepts",
    ),
]


def foreign_names(source: str) -> Iterator[str]:
    """Yield the private names in a module that it does not define itself."""
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    own = {name for node in nodes for name in _members(node)}
    read = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    read |= {node.id for node in nodes if isinstance(node, ast.Name)}
    for node in nodes:
        match node:
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=name):
                yield from _private([name])
            case ast.Attribute(attr=name) if name not in own:
                yield from _private([name])
            case ast.Call(func=ast.Name(id=function), args=[_, ast.Constant(value=str(name)), *_]):
                yield from _private([name]) if function in ACCESSORS else ()
            case ast.ImportFrom(module=str(module), names=names):
                parts, imported = module.split("."), [name.name for name in names]
                yield from imported if "internal" in parts else _private([*parts, *imported])
            case ast.Import(names=names):
                yield from _private(part for name in names for part in name.name.split("."))
            case ast.ClassDef(bases=[_, *_], body=body):  # what nothing here calls, a base calls
                methods = {item.name for item in body if isinstance(item, ast.FunctionDef)}
                yield from _private(methods - read)


def _members(node: ast.AST) -> Iterator[str]:
    """Yield the attributes that a node defines."""
    match node:
        case ast.Attribute(attr=name, ctx=ast.Store()):
            yield name
        case ast.ClassDef(body=body):
            for item in body:
                match item:
                    case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                        yield name
                    case ast.AnnAssign(target=ast.Name(id=name)):
                        yield name
                    case ast.Assign(targets=targets):
                        yield from (target.id for target in targets if isinstance(target, ast.Name))


def _private(names: Any) -> Iterator[str]:
    for name in names:
        if name[:1] == "_" != name and name[:2] != "__" and name not in DOCUMENTED:
            yield name


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("x._y", {"_y"}),
        ("x.y._z = 1; a._z", set()),
        ("super()._y()", {"_y"}),
        ("class A(B):\n def _y(self): super()._y()", {"_y"}),
        ("class A(B):\n def _y(self): pass", {"_y"}),
        ("class A(B):\n def _y(self): pass\n def z(self): self._y()", set()),
        ("class A:\n def _y(self): pass", set()),
        ("class A:\n _y: int\n def z(self): self._y", set()),
        ("getattr(x, '_y', None)", {"_y"}),
        ("from x import _y", {"_y"}),
        ("from x._y import z", {"_y"}),
        ("import x._y", {"_y"}),
        ("from x.internal import y", {"y"}),
        ("x.internal", set()),
        ("x._meta; x._replace(); x.__dict__; _", set()),
        ("def _y(): pass\n_y()", set()),
        ("def _y(): pass\nx._y()", {"_y"}),
    ],
)
def test_foreign_private_names_are_found(source: str, names: set[str]) -> None:
    assert {*foreign_names(source)} == names


def product_files() -> Iterator[Path]:
    for name in PRODUCT:
        path = ROOT / name
        yield from path.rglob("*.py") if path.is_dir() else (path,)


def test_only_listed_files_use_private_names() -> None:
    used: dict[str, set[str]] = defaultdict(set)
    for file in product_files():
        path = str(file.relative_to(ROOT))
        for name in foreign_names(file.read_text()):
            rows = [row.path for row in USES if fnmatch(path, row.path) and name in row.names]
            used[rows[0] if rows else path].add(name)
    assert used == {row.path: row.names for row in USES}, (
        "look for a documented way first, then list the file and the reason"
    )


def _has(owner: object, name: str) -> bool:
    return name in owner if isinstance(owner, str) else hasattr(owner, name)


@pytest.mark.parametrize("row", [*USES, *UNDOCUMENTED], ids=lambda row: row.path)
def test_names_still_exist(row: Use) -> None:
    for name in row.names:
        assert row.owner is None or _has(row.owner, name), f"without {name}: {row.breaks}"


@pytest.mark.parametrize("row", UNDOCUMENTED, ids=lambda row: row.path)
def test_undocumented_names_are_still_used(row: Use) -> None:
    source = (ROOT / row.path).read_text()
    assert [name for name in row.names if name not in source] == []
