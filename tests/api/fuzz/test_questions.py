"""Send arbitrary paths and queries: each gets a response with a bounded number of queries."""

from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.test import Client
from hypothesis import assume, given, strategies as st

from registry.services.search.facets import FACETS
from tests.api.fuzz import hostile
from tests.api.fuzz.bounds import assert_described, fuzzed, limit_queries
from tests.api.fuzz.hostile import often
from tests.api.sample_requests import CONDITIONS, PAIRS, REFERENCES, VALUES
from tests.api.seed import DIGEST
from tests.domain import strategies

pytestmark = pytest.mark.usefixtures("sample_registry")

MAX_QUERIES = 99  # of a search: up to ten for each of 8 words, and the matches of each condition
MAX_PATH_QUERIES = 45  # of GET tags/<tag>, which searches for names like an unknown one
MAX_PROPOSAL_QUERIES = 20  # whose body is checked again

odd_texts = st.one_of(
    hostile.odd_texts,
    st.text(max_size=30),
    st.sampled_from(["\0", "a\0b", "%00", "%", "_", "'", '"', "\\", "*", "\ud800", "İ", "ß", "ﬃ"]),
    st.integers(100, 5000).map(lambda length: "ab" * length),
)
operators = st.sampled_from(["=", ">", ">=", "<", "<=", "==", "!=", "~", "=>", "<>", ""])
numbers = st.one_of(
    st.integers().map(str),
    st.floats().map(str),
    st.sampled_from(
        ["1e999", "-1e999", "inf", "-Infinity", "NaN", "1e-400", "0x10", "1_0", "\u0661", "+1"]
    ),
    st.just("9" * 60),
)
subjects = st.one_of(
    st.sampled_from(["num-cores", "/host/mcpu", "", "/", "//", "/~2", "/devices/0/arch", "mattr"]),
    odd_texts,
)
conditions = often(
    CONDITIONS,
    st.builds(lambda *parts: "".join(parts), subjects, operators, st.one_of(numbers, odd_texts)),
)
references = often(
    REFERENCES,
    st.one_of(
        strategies.references.map(str),
        st.builds("{}{}".format, st.sampled_from(REFERENCES), odd_texts),
        odd_texts,
    ),
)
pointers = often(
    VALUES["query.node"],
    st.one_of(
        st.lists(often(["host", "devices", "left", "0"], odd_texts), max_size=4).map(
            lambda tokens: "".join(f"/{token}" for token in tokens)
        ),
        odd_texts,
    ),
)


def get(client: Client, path: str, query: Any, max_queries: int) -> Any:
    """Send a GET. Check the response, and that it takes at most `max_queries`."""
    # A lone surrogate has no bytes in UTF-8. `surrogatepass` sends invalid UTF-8 instead.
    url = f"/api/v1/{path}?{urlencode(query, doseq=True, errors='surrogatepass')}"
    with limit_queries(max_queries):
        response = client.get(url)
    assert_described("GET", url, response)
    return response


def quote_path(text: str) -> str:
    return quote(text, safe="/:@,", errors="surrogatepass")


@fuzzed
@given(
    query=st.fixed_dictionaries(
        {},
        optional={
            "q": often(VALUES["query.q"], odd_texts),
            "where": st.lists(st.sampled_from(CONDITIONS), max_size=6),
            **{facet: often(VALUES[f"query.{facet}"], odd_texts) for facet in FACETS},
        },
    ),
    more=st.dictionaries(st.sampled_from(["cursor", "where", "nonsense"]), odd_texts, max_size=1),
)
def test_search(client: Client, query: dict[str, Any], more: dict[str, str]) -> None:
    get(client, "tags", query | more, MAX_QUERIES)


@pytest.mark.any_database
@fuzzed
@given(where=st.lists(conditions, min_size=1, max_size=3))
def test_conditions(client: Client, where: list[str]) -> None:
    get(client, "tags", {"where": where}, MAX_QUERIES)


@pytest.mark.any_database
@fuzzed
@given(text=odd_texts)
def test_names(client: Client, text: str) -> None:
    get(client, "tags", {"q": text}, MAX_QUERIES)


@pytest.mark.any_database
@fuzzed
@given(
    route=st.sampled_from(["resolve", "explain", "lineage", "dependents", "tags", "versions"]),
    reference=references,
    query=st.dictionaries(
        st.sampled_from(["node", "format", "cursor", "versions"]), odd_texts, max_size=2
    ),
)
def test_references(client: Client, route: str, reference: str, query: dict[str, str]) -> None:
    assume(reference)  # without one it is another route
    get(client, f"{route}/{quote_path(reference)}", query, MAX_PATH_QUERIES)


@pytest.mark.any_database
@fuzzed
@given(reference=st.sampled_from(REFERENCES), node=pointers)
def test_nodes(client: Client, reference: str, node: str) -> None:
    response = get(client, f"resolve/{quote_path(reference)}", {"node": node}, MAX_PATH_QUERIES)
    assert response.status_code in (200, 404, 422)


@pytest.mark.any_database
@fuzzed
@given(pair=often(PAIRS, st.one_of(odd_texts, st.builds("{}...{}".format, references, references))))
def test_pairs(client: Client, pair: str) -> None:
    assume(pair)
    get(client, f"diff/{quote_path(pair)}", {}, MAX_PATH_QUERIES)


@fuzzed
@given(
    route=st.sampled_from(["digests", "kinds", "namespaces", "namespace-requests", "proposals"]),
    name=often([*VALUES["path.name"], DIGEST], odd_texts),
)
def test_names_in_paths(client: Client, route: str, name: str) -> None:
    assume(name)
    max_queries = MAX_PROPOSAL_QUERIES if route == "proposals" else MAX_PATH_QUERIES
    get(client, f"{route}/{quote_path(name)}", {}, max_queries)


@pytest.mark.any_database
@fuzzed
@given(after=often(range(3), numbers), namespace=often(["acme", "arm"], odd_texts))
def test_events(client: Client, after: str, namespace: str) -> None:
    get(client, "events", {"after": after}, MAX_PATH_QUERIES)
    get(client, "events", {"namespace": namespace, "after": after}, MAX_PATH_QUERIES)


@pytest.mark.any_database
@fuzzed
@given(data=st.data())
def test_cursor_with_a_changed_letter_is_rejected(client: Client, data: st.DataObject) -> None:
    cursor = get(client, "tags", {}, MAX_QUERIES).json()["next"].partition("cursor=")[2]
    number = data.draw(st.integers(0, len(cursor) - 1))
    other = data.draw(st.sampled_from("AZaz09_-:").filter(lambda letter: letter != cursor[number]))
    modified = f"{cursor[:number]}{other}{cursor[number + 1 :]}"
    response = get(client, "tags", {"cursor": modified}, MAX_QUERIES)
    assert response.status_code == 400
    assert response.json()["code"] == "FILTER_INVALID"
