"""Lists of the tags that a compiler builds: what must be in them, and what must not."""

from typing import Any

import pytest
from django.db import connection
from django.http import QueryDict
from django.test.utils import CaptureQueriesContext

from registry.domain.errors import Code, Refused
from registry.domain.proofs import BUILT, Compiler
from registry.models import Attribute
from registry.services.search import indexing, query_parameters, searching
from registry.services.search.search_query import SearchResults
from registry.services.tags import detail
from tests.publishing import publish, yank

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

CPU: dict[str, Any] = {"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mcpu": "cortex-a57"}
ORIN: dict[str, Any] = CPU | {"mcpu": "cortex-a78"}
M7: dict[str, Any] = {"kind": "c", "mcpu": "cortex-m7"}
TIME_LIMIT_QUERIES = 2 if connection.vendor == "postgresql" else 0  # a savepoint
BY_ALL = ("acme/cpu", CPU | {"num-cores": 6, "keys": ["arm_cpu", "cpu"]})


def search(query: str) -> SearchResults:
    return searching.search(query_parameters.parse_query(QueryDict(query)))


def is_listed(tag: str, query: str) -> bool:
    """Return whether a search with a namespace lists a tag."""
    namespace = tag.partition("/")[0]
    return tag in [entry.text for entry in search(f"{query}&namespace={namespace}").entries]


@pytest.mark.parametrize("compiler", Compiler)
def test_a_tag_is_listed_by_every_compiler_that_builds_it(compiler: Compiler) -> None:
    publish(*BY_ALL)
    assert is_listed("acme/cpu", f"compiles={compiler}")


@pytest.mark.parametrize(
    ("body", "compiler"),
    [
        ({"kind": "cuda", "arch": "sm_87", "host": ORIN}, "iree"),
        (M7 | {"executor": "aot", "runtime": "crt"}, "iree"),
        (M7, "tvm"),
        (M7, "clang"),
        (CPU | {"executor": "graph"}, "clang"),  # which has no part in it
    ],
)
def test_the_whole_target_is_built(body: dict[str, Any], compiler: str) -> None:
    publish("acme/listed", body)
    assert is_listed("acme/listed", f"compiles={compiler}")


@pytest.mark.parametrize(
    ("body", "compiler"),
    [
        ({"kind": "cuda", "arch": "sm_53", "host": CPU}, "iree"),  # too old a GPU
        ({"kind": "cuda", "arch": "sm_87", "host": CPU}, "clang"),  # its host only
        (M7, "iree"),  # without a runtime for bare metal
        (M7 | {"executor": "aot", "runtime": "crt"}, "tvm"),  # which has no crt any more
        (CPU | {"executor": "graph"}, "tvm"),
        ({"kind": "vulkan", "host": CPU}, "tvm"),
        (CPU | {"mcpu": "cortex-a57", "mattr": ["+untried"]}, "tvm"),  # untested
        ({"kind": "composite", "devices": [CPU, "opencl"], "host": CPU}, "iree"),  # a part only
        ({"executor": {"kind": "aot"}}, "tvm"),  # a mixin
        (
            {
                "kind": "llvm",
                "mtriple": "riscv64-unknown-linux-gnu",
                "mcpu": "spacemit-x100",
            },
            "clang",
        ),
    ],
)
def test_what_is_not_built_is_not_listed(body: dict[str, Any], compiler: str) -> None:
    publish("acme/absent", body)
    assert not is_listed("acme/absent", f"compiles={compiler}")


def test_only_the_newest_version_counts() -> None:
    publish("acme/board", {"kind": "cuda", "arch": "sm_87", "host": ORIN})
    publish("acme/board", {"kind": "cuda", "arch": "sm_53", "host": ORIN})
    assert not is_listed("acme/board", "compiles=iree")
    yank("acme/board@2.0.0")
    assert is_listed("acme/board", "compiles=iree")


def test_a_tag_without_a_version_is_not_listed() -> None:
    publish(*BY_ALL)
    yank("acme/cpu@1.0.0")
    assert not is_listed("acme/cpu", "compiles=tvm")


@pytest.mark.parametrize("other", ["q=cpu", "where=num-cores%3D6", "kind=llvm", "sort=published"])
def test_the_filter_joins_others(other: str) -> None:
    publish(*BY_ALL)
    assert is_listed("acme/cpu", f"compiles=iree&{other}")


@pytest.mark.parametrize("other", ["where=num-cores%3D7", "kind=cuda"])
def test_other_filters_still_leave_tags_out(other: str) -> None:
    publish(*BY_ALL)
    assert not is_listed("acme/cpu", f"compiles=iree&{other}")


@pytest.mark.parametrize("value", ["gcc", "IREE", "iree|tvm", "refused"])
def test_an_unknown_compiler_is_an_error_that_names_them(value: str) -> None:
    with pytest.raises(Refused) as refused:
        search(f"compiles={value}")
    assert refused.value.code is Code.FILTER_INVALID
    assert {*refused.value.suggestions} <= {*Compiler}
    assert all(compiler in refused.value.detail for compiler in Compiler)


def test_the_name_of_a_compiler_is_no_word_of_its_tags() -> None:
    publish(*BY_ALL)
    assert not is_listed("acme/cpu", "q=clang")


@pytest.mark.parametrize("compiler", Compiler)
def test_lists_are_what_tags_say(compiler: Compiler) -> None:
    built = {
        entry.text
        for entry in search("namespace=example&limit=100").entries
        for each in detail.tag_profile(entry.text).compiles_with
        if each.compiler is compiler and each.proof.reach in BUILT
    }
    listed = search(f"compiles={compiler}&namespace=example&limit=100").entries
    assert {entry.text for entry in listed} == built


def test_the_filter_takes_as_many_queries_as_a_condition() -> None:
    publish(*BY_ALL)

    def count_queries(query: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            search(query)
        return len(captured)

    count = count_queries("namespace=acme&compiles=iree")
    assert count == count_queries("namespace=acme&where=keys%3Darm_cpu") == 5 + TIME_LIMIT_QUERIES


def test_the_index_has_one_row_for_each_compiler() -> None:
    tag = publish(*BY_ALL).tag_id
    indexing.reindex_tags([tag])
    rows = Attribute.objects.filter(tag=tag, name="compiles")
    assert sorted(rows.values_list("text", flat=True)) == ["clang", "iree", "tvm"]
