"""No body, however nested, long or repetitive, takes long or crashes."""

import json
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from registry.domain.document import MAX_NESTING, Json, canonical
from registry.domain.errors import Code
from registry.domain.resolution import resolution as rules
from registry.domain.resolution.body_references import MAX_DISTINCT, MAX_REFERENCES, body_references
from registry.domain.resolution.merging import PublishedVersion
from registry.domain.resolution.resolution import resolve_body
from tests.domain.builders import Library, check_text, refusal, target_of


def hosts(depth: int, innermost: Json) -> Any:
    """Return a chain of hosts."""
    for _ in range(depth):
        innermost = {"kind": "c", "host": innermost}
    return innermost


def composites(depth: int, innermost: Json) -> Any:
    for _ in range(depth):
        innermost = {"kind": "composite", "devices": [innermost]}
    return innermost


def wide(references: list[Any]) -> Json:
    return {"kind": "composite", "devices": references}


@pytest.mark.parametrize(
    ("names", "result"),
    [
        (["a/b"] * 513, "513"),
        ([f"a/b{n}" for n in range(65)], "65"),
        ([f"a/b@{n}" for n in range(65)], "65"),
    ],
    ids=["too many", "too many distinct", "too many selectors"],
)
def test_too_many_references_are_rejected(names: list[str], result: str) -> None:
    refused = refusal(lambda: body_references(wide(names)))
    assert refused.code == Code.TOO_LARGE
    assert result in refused.detail
    assert str(MAX_REFERENCES) in refused.detail
    assert str(MAX_DISTINCT) in refused.detail


def test_the_maximum_number_of_references_is_accepted() -> None:
    assert len(body_references(wide([f"a/b{n % 64}" for n in range(512)]))) == 512


def test_too_many_parents_are_rejected() -> None:
    library = Library()
    library.publish("t/cpu", {"kind": "c"})
    for n in range(16):
        library.publish(f"m/m{n}", {"flow": {f"x.y{n}": n}})
    mixins = [f"m/m{n}" for n in range(16)]
    assert len(library.resolve({"tag": ["t/cpu", *mixins[:15]]}).target["flow"]) == 15
    refused = refusal(lambda: library.resolve({"tag": ["t/cpu", *mixins]}))
    assert refused.code == Code.TOO_LARGE
    (fault,) = refused.faults
    assert (fault.pointer, fault.found) == ("", "17")
    assert "16" in fault.expected


@pytest.mark.parametrize("kind", ["composite", "byoc"])
def test_composite_levels_include_those_of_composed_targets(kind: str) -> None:
    library = Library()
    library.publish("t/deep", composites(15, "c"))
    around: Json = {"kind": kind, "codegen": "x", "devices": ["t/deep"]}
    if kind == "composite":
        around = {"kind": kind, "devices": ["t/deep"]}
    assert target_of(around, library)
    refused = refusal(lambda: library.resolve({"kind": "composite", "devices": [around]}))
    assert refused.code == Code.TOO_DEEP
    assert "17" in refused.detail
    assert "16" in refused.detail


def test_nesting_of_the_resolved_target_is_limited() -> None:
    library = Library()
    library.put("t/deep", hosts(60, "c"))
    refused = refusal(lambda: library.resolve(hosts(60, "t/deep")))
    assert refused.code == Code.TOO_DEEP
    assert "121" in refused.detail
    assert str(MAX_NESTING) in refused.detail


def test_a_node_counts_each_time_it_is_used() -> None:
    library = Library()
    library.publish("t/half", wide(["c"] * 511))
    assert target_of({"kind": "composite", "devices": ["t/half"]}, library)
    target_of(wide(["c"] * 1023))
    assert refusal(lambda: target_of(wide(["c"] * 1024))).code == Code.TOO_LARGE
    refused = refusal(lambda: library.resolve(wide(["t/half", "t/half"])))
    assert refused.code == Code.TOO_LARGE
    assert "1025" in refused.detail
    assert "1024" in refused.detail


def test_doubling_targets_are_rejected_before_they_are_expanded() -> None:
    library = Library()
    library.publish("t/p0", {"kind": "c"})
    refused = None
    for n in range(15):
        body = {"kind": "composite", "devices": {"a": f"t/p{n}", "b": f"t/p{n}"}}
        if n == 9:
            refused = refusal(partial(library.resolve, body))
            break
        library.publish(f"t/p{n + 1}", body)
    assert refused
    assert refused.code == Code.TOO_LARGE
    assert "2047" in refused.detail


def chain(length: int) -> Library:
    library = Library()
    library.publish("t/v0", {"kind": "c"})
    for n in range(length):
        library.publish(
            f"t/v{n + 1}",
            {"tag": f"t/v{n}"}
            if n % 2
            else wide([f"t/v{n}"])
            if n == 0
            else {"tag": f"t/v{n}", "model": "x"},
        )
    return library


def test_a_lineage_is_at_most_32_versions_deep() -> None:
    library = chain(31)
    assert library.resolve({"tag": "t/v31"}).depth == 32
    library.publish("t/v32", {"tag": "t/v31"})
    for body in ({"tag": "t/v32"}, wide(["t/v0", "t/v32"])):
        refused = refusal(partial(library.resolve, body))
        assert refused.code == Code.TOO_DEEP
        assert "33" in refused.detail
        assert "32" in refused.detail


def sized(size: int) -> dict[str, Any]:
    """Return a target with this number of canonical bytes."""
    text = "x" * 249
    body: dict[str, Any] = {"kind": "c", "libs": [f"{n:07}{text}"[:250] for n in range(1_000)]}
    body["model"] = ""
    body["model"] = "y" * (size - len(canonical(body)))
    return body


def test_a_resolved_target_has_at_most_256_kib() -> None:
    library = Library()
    exact = library.put("t/exact", sized(rules.MAX_TARGET))
    assert len(canonical(exact.target)) == rules.MAX_TARGET
    assert library.resolve({"tag": "t/exact"}).text
    refused = refusal(lambda: library.resolve({"tag": "t/exact", "runtime": "c"}))
    assert refused.code == Code.TOO_LARGE
    assert str(rules.MAX_TARGET) in refused.detail


def test_the_measured_size_never_exceeds_the_actual_size() -> None:
    around = len(canonical(target_of(hosts(40, "c")))) - len(canonical({"kind": "c"}))
    body = hosts(40, sized(rules.MAX_TARGET - around))
    assert len(Library().resolve(body).text) == rules.MAX_TARGET


# Traps for what is quadratic or recursive


def test_editing_ten_thousand_items_is_fast() -> None:
    library = Library()
    library.publish("t/long", {"kind": "c", "libs": [f"a{n}" for n in range(6_000)]})
    library.publish("m/long", {"libs": {"$append": [f"b{n}" for n in range(6_000)]}})
    body: Json = {
        "tag": ["t/long", "m/long"],
        "libs": {
            "$append": [f"c{n}" for n in range(6_000)],
            "$remove": [f"a{n}" for n in range(3_000)],
        },
    }
    assert len(target_of(body, library)["libs"]) == 15_000
    nodes: Json = {"kind": "composite", "devices": [{"tag": ["t/long", *["m/long"] * 15]}] * 32}
    refused = refusal(lambda: library.resolve(nodes))
    assert refused.code == Code.TOO_LARGE
    assert "counted for each use" in refused.detail  # not merged first, then measured


def test_appending_a_large_target_many_times_is_fast() -> None:
    library = Library()
    library.put(
        "t/large",
        {
            "kind": "composite",
            "devices": [{"kind": "c", "libs": ["x" * 240] * 500, "mcpu": str(n)} for n in range(2)],
        },
    )
    library.publish("t/pair", wide(["c"]))
    once = library.resolve({"tag": "t/pair", "devices": {"$append": ["t/large"] * 511}})
    assert len(once.target["devices"]) == 2
    heirs = [{"tag": "t/pair", "devices": {"$append": ["t/large"]}}] * 200
    assert refusal(lambda: library.resolve(wide(heirs))).code == Code.TOO_LARGE


@pytest.mark.parametrize(
    "body",
    [
        dict.fromkeys((f"mx{n:x}" for n in range(5_000)), 1),
        {"kind": "vulkan", **dict.fromkeys((f"max_shared_memory{n:x}" for n in range(2_000)), 1)},
        {"libs": [1] * 20_000},
        {"keys": ["!"] * 9_000, "libs": ["!"] * 3_000},
        {"devices": {f"a{n}": {"max_threads_per_blok": 1} for n in range(1_000)}},
        {"kind": "composite", "devices": ["lvm"] * 1_000},
        {"executor": dict.fromkeys((f"m{n:x}" for n in range(5_000)), None)},
        {"kind": "llvm", "m" * 2_000: 1},
        {"kind": ["x"]},
        {"kind": {}},
        {"kind": "x" * 2_000},
    ],
    ids=lambda body: json.dumps(body)[:24],
)
def test_a_body_with_many_faults_is_checked_fast(body: dict[str, Json]) -> None:
    refused = refusal(lambda: check_text(json.dumps(body, separators=(",", ":"))))
    assert refused.code == Code.BODY_INVALID
    assert refused.faults


def deepened(call: Callable[[], Any], frames: int) -> Any:
    return deepened(call, frames - 1) if frames else call()


def test_deep_chains_do_not_exhaust_the_stack() -> None:
    """A worker's own stack may be deep already when a body comes in."""
    assert sys.getrecursionlimit() >= 1_000
    library = Library()
    library.put("t/v0", hosts(90, "c"))
    library.put("m/deep", nested_patch(90, {"model": "x"}))
    for n in range(32):
        library.put(f"t/v{n + 1}", {"tag": [f"t/v{n}", "m/deep"], **nested_patch(89, {"num": n})})
    bodies: list[Json] = [
        hosts(93, "t/v31"),
        hosts(93, {"tag": ["t/v31", "m/deep"]}),
        nested_patch(90, {"host": "t/v31"}) | {"tag": "t/v31"},
        heirs(90, "t/v31"),
        wide_edit(44, "t/v31"),
    ]
    for body in bodies:
        refused = refusal(partial(deepened, partial(library.resolve, body), 150))
        assert refused.code == Code.TOO_DEEP
    deepened(lambda: check_text(json.dumps(hosts(93, "c"))), 150)
    deepened(lambda: check_text(json.dumps(nested_patch(93, {"model": "x"}))), 150)


def nested_patch(depth: int, innermost: dict[str, Json]) -> dict[str, Any]:
    for _ in range(depth):
        innermost = {"host": innermost}
    return innermost


def heirs(depth: int, tag: str) -> dict[str, Any]:
    body: dict[str, Any] = {"tag": tag}
    for _ in range(depth):
        body = {"tag": tag, "host": body}
    return body


def wide_edit(depth: int, tag: str) -> dict[str, Any]:
    body: Any = tag
    for _ in range(depth):
        body = {"kind": "composite", "devices": [body]}
    return {"tag": tag, "devices": {"$append": [body, body]}}


def test_stored_targets_are_read_once() -> None:
    version = Library().put("t/a", hosts(5, "c"))
    assert isinstance(version, PublishedVersion)
    assert version.tree is version.tree
    assert resolve_body({"tag": "t/a"}, {"t/a": version}).text == canonical(version.target)


def enclosed(leaves: int, setting: str) -> Json:
    """Return many leaves inside a node that passes settings and libraries down."""
    devices: list[Json] = [{"kind": "c"} for _ in range(leaves)]
    return {"kind": "composite", "devices": devices, "flow": {"a.b": setting}, "libs": ["x"]}


def test_what_leaves_repeat_of_enclosing_nodes_is_limited() -> None:
    each = len(canonical({"a.b": ""})) + len(canonical(["x"]))
    longest = rules.MAX_PASSED_DOWN // 1000 - each
    assert Library().resolve(enclosed(1000, "y" * longest)).target
    refused = refusal(lambda: Library().resolve(enclosed(1000, "y" * (longest + 1))))
    assert refused.code == Code.TOO_LARGE
    assert f"{1000 * (longest + 1 + each)} bytes of flow and libs" in refused.detail
    assert str(rules.MAX_PASSED_DOWN) in refused.detail


def test_settings_of_the_leaves_themselves_are_not_counted() -> None:
    leaf: Json = {"kind": "c", "flow": {"a.b": "y" * 200}}
    body: Json = {"kind": "composite", "devices": [leaf] * 1000}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rules, "MAX_PASSED_DOWN", 0)
        assert Library().resolve(body).target


def test_a_mixin_passes_nothing_down_itself() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rules, "MAX_PASSED_DOWN", 0)
        body: Json = {"devices": {"a": {"kind": "c"}}, "flow": {"a.b": 1}}
        assert Library().resolve(body).target == body
