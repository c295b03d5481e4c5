"""Tests of GET tags, the search."""

from typing import Any

import pytest
from django.test import Client

from registry.domain.reference import Tag as TagName
from registry.models import Tag, User
from registry.services.core import shipped_facts, usage
from registry.services.core.permissions import Actor
from registry.services.search import deadlines, facets, search_query
from registry.services.search.facets import FACETS
from registry.services.tags import deprecation
from tests.api.problems import error_positions, problem
from tests.publishing import publish, yank

pytestmark = pytest.mark.django_db

URL = "/api/v1/tags"


@pytest.fixture
def ask(client: Client) -> Any:
    """Return a function that lists tags with parameters."""

    def send(**parameters: Any) -> Any:
        response = client.get(URL, parameters)
        assert response.status_code == 200, response.content
        return response.json()

    return send


def tags(result: Any) -> list[str]:
    return [entry["tag"] for entry in result["results"]]


def test_list_has_all_tags_by_name(client: Client) -> None:
    seen: list[str] = []
    next_url = URL
    while next_url:
        data = client.get(next_url).json()
        assert data["total"] == Tag.objects.count()
        assert (data["capped"], data["suggestions"]) == (False, [])
        seen += tags(data)
        next_url = data["next"]
    assert seen == sorted(Tag.objects.values_list("text", flat=True))
    assert len(seen) > 5 * search_query.PAGE_SIZE


def test_pages_of_matches_have_every_match_once(client: Client) -> None:
    data = client.get(URL, {"q": "geforce", "where": ["kind=cuda", "thread_warp_size=32"]}).json()
    seen = tags(data)
    while data["next"]:
        data = client.get(data["next"]).json()
        seen += tags(data)
    assert len(seen) == len(set(seen)) == data["total"] > search_query.PAGE_SIZE


def test_entry_has_the_members_that_lists_show(ask: Any, client: Client) -> None:
    (entry,) = ask(q="nvidia/jetson-nano:cuda")["results"]
    resolved = client.get("/api/v1/resolve/nvidia/jetson-nano:cuda").json()
    assert entry == {
        "tag": "nvidia/jetson-nano:cuda",
        "reference": "nvidia/jetson-nano:cuda@1.2.0",
        "version": "1.2.0",
        "digest": resolved["digest"],
        "published": resolved["published"],
        "kind": "cuda",
        "vendor": "NVIDIA",
        "arch": "sm_53",
        "family": "Maxwell",
        "status": "active",
        "successor": None,
        "lints": 1,
        "resolves": 0,
        "matched": [
            {
                "field": "name",
                "value": "nvidia/jetson-nano:cuda",
                "words": ["nvidiajetsonnanocuda"],
            }
        ],
        "unstated": [],
    }


def test_entry_counts_how_often_its_tag_was_resolved(ask: Any, client: Client) -> None:
    for _ in range(3):
        client.get("/api/v1/resolve/nvidia/a100")
    usage.flush()
    (entry,) = ask(q="a100")["results"]
    assert entry["resolves"] == 3


def test_unknown_fact_is_null(ask: Any) -> None:
    (entry,) = ask(q="micro/aot")["results"]
    assert [entry[name] for name in ("kind", "vendor", "arch", "family")] == [None] * 4


@pytest.mark.usefixtures("acme")
def test_a_yanked_tag_has_no_version_and_a_deprecated_one_has(ask: Any, alice: User) -> None:
    for name in ("acme/gone", "acme/old"):
        publish(name, {"kind": "llvm", "mcpu": "haswell"})
    yank("acme/gone@1.0.0")
    deprecation.deprecate(TagName.parse("acme/old"), reason="old", actor=Actor.operator(alice))
    assert [entry["tag"] for entry in ask(namespace="acme")["results"]] == ["acme/gone"]
    gone, old = ask(namespace="acme", status="any")["results"]
    assert (gone["status"], old["status"]) == ("yanked", "deprecated")
    nothing = ("reference", "version", "digest", "published", "kind")
    assert [gone[name] for name in nothing] == [None] * 5
    assert (old["version"], old["kind"]) == ("1.0.0", "llvm")
    assert ask(namespace="acme")["facets"]["status"] == [
        {"value": "deprecated", "count": 1},
        {"value": "yanked", "count": 1},
    ]


def test_facet_values_can_be_used_as_filters(ask: Any) -> None:
    facets = ask()["facets"]
    assert list(facets) == list(FACETS)
    for facet, values in facets.items():
        for value in values:
            assert ask(**{facet: value["value"]})["total"] == value["count"] > 0


def test_facets_that_are_cut_are_named(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ask(q="jetson")["cut_facets"] == []
    whole = ask()["facets"]
    monkeypatch.setattr(facets, "MAX_VALUES", 2)
    page = ask()
    assert {facet: values[:2] for facet, values in whole.items()} == page["facets"]
    assert page["cut_facets"] == [facet for facet in FACETS if len(whole[facet]) > 2]


def test_all_parameters_must_match(ask: Any) -> None:
    result = ask(q="jetson", kind="cuda", where=["/host/kind=llvm", "num-cores>=4"])
    assert "nvidia/jetson-nano:cuda" in tags(result)
    assert result["total"] < ask(q="jetson")["total"]


@pytest.mark.parametrize(
    "where",
    [
        ["/mtriple/vendor=alpine"],
        ["/mtriple/os=linux", "/mtriple/libc=musl", "/mtriple/abi=eabihf"],
        ["libc=musl", "abi=eabihf", "arch=armv7"],
    ],
)
def test_parts_of_a_triple_are_searchable(ask: Any, where: list[str]) -> None:
    assert tags(ask(where=where)) == ["example/armv7-musl-hf"]


@pytest.mark.parametrize("q", ["", "geforce"])
def test_sort_by_published_lists_the_newest_first(client: Client, q: str) -> None:
    data = client.get(URL, {"q": q, "sort": "published"}).json()
    seen = data["results"]
    while data["next"]:
        data = client.get(data["next"]).json()
        seen += data["results"]
    dates = [entry["published"] for entry in seen]
    assert dates == sorted(dates, reverse=True)
    assert len({entry["tag"] for entry in seen}) == len(seen) == data["total"]


@pytest.mark.parametrize("q", ["", "geforce"])
def test_sort_by_used_lists_the_most_resolved_first(client: Client, q: str) -> None:
    for number, tag in enumerate(Tag.objects.filter(text__contains="geforce")[:60]):
        usage.count(tag.text, 1 + number % 7)
    usage.flush()
    data = client.get(URL, {"q": q, "sort": "used"}).json()
    seen = data["results"]
    while data["next"]:
        data = client.get(data["next"]).json()
        seen += data["results"]
    keys = [(-entry["resolves"], entry["tag"]) for entry in seen]
    assert keys == sorted(keys)
    assert keys[0][0] == -7
    assert len({entry["tag"] for entry in seen}) == len(seen) == data["total"]


def test_empty_parameter_is_ignored(ask: Any) -> None:
    empty = dict.fromkeys(("q", "sort", *FACETS), "")
    assert ask(**empty, where=[""] * 9)["total"] == Tag.objects.count()


def test_without_a_match_similar_names_are_suggested(ask: Any) -> None:
    result = ask(q="4091")
    assert (result["results"], result["total"], result["next"]) == ([], 0, None)
    assert "nvidia/geforce-rtx-4090" in result["suggestions"]


def test_hits_say_why_they_match_and_which_words_are_ignored(ask: Any) -> None:
    result = ask(q="maxwell sm_53 qqqq", kind="cuda")
    assert result["ignored"] == ["qqqq"]
    reason = {"field": "/hardware/family", "value": "Maxwell", "words": ["maxwell"]}
    assert any(reason in entry["matched"] for entry in result["results"])


def test_other_machines_say_what_differs(ask: Any) -> None:
    result = ask(q="rtx 4091")
    assert result["results"] == []
    assert {
        "tag": "nvidia/geforce-rtx-4090",
        "reference": "nvidia/geforce-rtx-4090@1.0.0",
        "differs": ["4090, not 4091"],
    } in [{**other, "reference": other["reference"][:-5] + "1.0.0"} for other in result["nearest"]]
    (missing,) = result["missing"]
    assert (missing["product"], missing["group"]) == ("rtx 4091", "rtx 40")


def test_what_is_missing_has_the_reason_of_the_catalogue(ask: Any) -> None:
    result = ask(q="gaudi 3")
    (missing,) = result["missing"]
    assert missing in shipped_facts.missing()
    assert (result["results"], result["nearest"], result["suggestions"]) == ([], [], [])


def test_a_group_is_named_by_its_beginning(ask: Any) -> None:
    assert ask(q="rtx 40")["beginning"] == "rtx 40"
    assert ask(q="rtx 4090")["beginning"] is None


def test_versions_of_toolkits_are_ignored(ask: Any) -> None:
    assert ask(q="rtx 4090 cuda 12.4")["ignored"] == ["cuda 12.4"]


@pytest.mark.parametrize("q", ["\x00", "\x1b[31m", "日本", "'; --", "%", "x" * 10_000, "a " * 999])
def test_any_text_is_searchable(ask: Any, q: str) -> None:
    assert isinstance(ask(q=q)["results"], list)


@pytest.mark.parametrize(
    ("parameters", "code"),
    [
        ({"where": "num-cores"}, "FILTER_INVALID"),
        ({"where": "num-cores!=8"}, "FILTER_INVALID"),
        ({"where": "num-cores>=inf"}, "FILTER_INVALID"),
        ({"where": "num-cores>=1e999"}, "FILTER_INVALID"),
        ({"where": "host/mcpu=x"}, "FILTER_INVALID"),
        ({"where": "a=\x00"}, "FILTER_INVALID"),
        ({"where": [f"x={number}" for number in range(6)]}, "FILTER_INVALID"),
        ({"where": "x=" + "y" * 5000}, "FILTER_INVALID"),
        ({"kind": "cudda"}, "FILTER_INVALID"),
        ({"status": "gone"}, "FILTER_INVALID"),
        ({"sort": "random"}, "FILTER_INVALID"),
        ({"vendor": "a\x00b"}, "FILTER_INVALID"),
        ({"arch": "x" * 129}, "FILTER_INVALID"),
        ({"cursor": "x"}, "FILTER_INVALID"),
        ({"cursor": ""}, "FILTER_INVALID"),
        ({"namespace": "nvidai"}, "NAMESPACE_UNKNOWN"),
        ({"namespace": "\x00"}, "FILTER_INVALID"),
        ({"q": ["a", "b"]}, "REQUEST_INVALID"),
        ({"sort": ["best", "best"]}, "REQUEST_INVALID"),
        ({"kind": ["cuda", "llvm"]}, "REQUEST_INVALID"),
        ({"page": "2"}, "REQUEST_INVALID"),
    ],
)
def test_invalid_filter_is_rejected(client: Client, parameters: dict[str, Any], code: str) -> None:
    error = problem(client.get(URL, parameters), code)
    assert code == "NAMESPACE_UNKNOWN" or error_positions(error) == [("", code)]


def test_cursor_of_another_query_is_rejected(client: Client, ask: Any) -> None:
    next_url = ask(q="geforce")["next"]
    error = problem(client.get(next_url.replace("geforce", "quadro")), "FILTER_INVALID")
    assert "different request" in error["detail"]


def test_modified_cursor_is_rejected(client: Client, ask: Any) -> None:
    next_url = ask()["next"]
    problem(client.get(next_url[:-1] + ("a" if next_url[-1] != "a" else "b")), "FILTER_INVALID")


def test_error_names_the_allowed_values(client: Client) -> None:
    assert (
        "nvidia"
        in problem(client.get(URL, {"namespace": "nvidai"}), "NAMESPACE_UNKNOWN")["suggestions"]
    )
    error = problem(client.get(URL, {"kind": "cudda"}), "FILTER_INVALID")
    assert "cuda" in error["errors"][0]["suggestions"]


def test_error_suggests_values_that_tags_have(client: Client) -> None:
    error = problem(client.get(URL, {"vendor": "nvida"}), "FILTER_INVALID")
    assert error["suggestions"] == error["errors"][0]["suggestions"] == ["NVIDIA"]
    assert error["errors"][0]["expected"].startswith("the vendor of a tag, such as NVIDIA, ")


def test_a_search_that_takes_too_long_is_busy(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deadlines, "MAX_SECONDS", 1e-9)
    response = client.get(URL, {"q": "a"})
    problem(response, "BUSY")
    assert int(response["Retry-After"]) > 0
    monkeypatch.undo()
    assert client.get(URL).status_code == 200


def test_head_and_conditions(client: Client) -> None:
    answer = client.get(URL, {"q": "rtx"})
    assert answer["Cache-Control"] == "public, max-age=0, must-revalidate"
    head = client.head(URL, {"q": "rtx"})
    assert (head.status_code, head.content, head["ETag"]) == (200, b"", answer["ETag"])
    again = client.get(URL, {"q": "rtx"}, headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304


@pytest.mark.usefixtures("acme")
def test_facts_filter_and_sort(ask: Any, client: Client) -> None:
    for name, gib in (("a", 4), ("b", 16), ("c", 8)):
        publish(f"acme/{name}", {"kind": "cuda", "hardware": {"memory_bytes": gib * 2**30}})
    assert tags(ask(namespace="acme", memory_min="8GiB", sort="-memory")) == ["acme/c", "acme/b"]
    first = ask(namespace="acme", sort="memory", limit=2)
    assert tags(first) == ["acme/b", "acme/c"]
    publish("acme/0", {"kind": "cuda"})
    last = client.get(first["next"]).json()
    assert tags(last) == ["acme/a", "acme/0"]
    assert (last["unstated"], ask(namespace="acme")["unstated"]) == (1, None)


@pytest.mark.parametrize(
    ("parameters", "detail"),
    [
        ({"limit": "101"}, "limit=101 is not valid: expected a whole number from 1 to 100."),
        (
            {"power_max": "low"},
            "power_max=low is not valid: expected a number, in W or with a unit",
        ),
        ({"sort": "memroy"}, "memory, -memory"),
    ],
)
def test_invalid_facts_orders_and_limits_are_refused(
    client: Client, parameters: dict[str, str], detail: str
) -> None:
    data = problem(client.get(URL, parameters), "FILTER_INVALID")
    assert detail in data["detail"]


@pytest.mark.parametrize(
    ("text", "typing", "found"),
    [
        ("c4.8x", "true", True),
        ("arm/so", "true", True),
        ("arm/so", "", False),
        ("jetson-n", "true", True),
        ("jetson-n", "false", False),
        ("rtx 5095", "true", False),
    ],
)
def test_last_word_is_completed_only_while_it_is_typed(
    client: Client, text: str, typing: str, found: bool
) -> None:
    results = client.get("/api/v1/tags", {"q": text, "typing": typing}).json()["results"]
    assert bool(results) is found


def test_typing_is_true_or_false(client: Client) -> None:
    response = client.get("/api/v1/tags", {"q": "arm", "typing": "yes"})
    assert problem(response, "FILTER_INVALID")["suggestions"] == []
