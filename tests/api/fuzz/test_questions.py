"""Whatever is asked in a path or a query: an answer or a refusal, with bounded work."""

from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.test import Client
from hypothesis import assume, given, strategies as st

from registry.services.search.facets import FACETS
from tests.api.fuzz import hostile
from tests.api.fuzz.bounds import as_described, at_most, drawn
from tests.api.fuzz.hostile import often
from tests.api.good import CONDITIONS, PAIRS, REFERENCES, VALUES
from tests.api.seed import DIGEST
from tests.domain import strategies

pytestmark = pytest.mark.usefixtures("stands")

MOST_QUERIES = 24  # of a search, which asks first how many meet each of its conditions
MOST_OF_PATH = 6
MOST_OF_PROPOSAL = 20  # whose body is judged anew

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


def asked(client: Client, path: str, query: Any, most: int) -> Any:
    """The answer to a GET: as described, with at most so many queries."""
    # Half of a surrogate pair has no bytes in UTF-8; what is no UTF-8 at all is sent in its place.
    url = f"/api/v1/{path}?{urlencode(query, doseq=True, errors='surrogatepass')}"
    with at_most(most):
        response = client.get(url)
    as_described("GET", url, response)
    return response


def placed(text: str) -> str:
    return quote(text, safe="/:@,", errors="surrogatepass")


@drawn
@given(
    question=st.fixed_dictionaries(
        {},
        optional={
            "q": often(VALUES["query.q"], odd_texts),
            "where": st.lists(st.sampled_from(CONDITIONS), max_size=6),
            **{facet: often(VALUES[f"query.{facet}"], odd_texts) for facet in FACETS},
        },
    ),
    more=st.dictionaries(st.sampled_from(["cursor", "where", "nonsense"]), odd_texts, max_size=1),
)
def test_search(client: Client, question: dict[str, Any], more: dict[str, str]) -> None:
    asked(client, "tags", question | more, MOST_QUERIES)


@pytest.mark.any_database
@drawn
@given(where=st.lists(conditions, min_size=1, max_size=3))
def test_conditions(client: Client, where: list[str]) -> None:
    asked(client, "tags", {"where": where}, MOST_QUERIES)


@pytest.mark.any_database
@drawn
@given(text=odd_texts)
def test_names(client: Client, text: str) -> None:
    asked(client, "tags", {"q": text}, MOST_QUERIES)


@pytest.mark.any_database
@drawn
@given(
    route=st.sampled_from(["resolve", "explain", "lineage", "dependents", "tags", "versions"]),
    reference=references,
    query=st.dictionaries(
        st.sampled_from(["node", "format", "cursor", "versions"]), odd_texts, max_size=2
    ),
)
def test_references(client: Client, route: str, reference: str, query: dict[str, str]) -> None:
    assume(reference)  # without one it is another route
    asked(client, f"{route}/{placed(reference)}", query, MOST_OF_PATH)


@pytest.mark.any_database
@drawn
@given(reference=st.sampled_from(REFERENCES), node=pointers)
def test_nodes(client: Client, reference: str, node: str) -> None:
    response = asked(client, f"resolve/{placed(reference)}", {"node": node}, MOST_OF_PATH)
    assert response.status_code in (200, 404, 422)


@pytest.mark.any_database
@drawn
@given(pair=often(PAIRS, st.one_of(odd_texts, st.builds("{}...{}".format, references, references))))
def test_pairs(client: Client, pair: str) -> None:
    assume(pair)
    asked(client, f"diff/{placed(pair)}", {}, MOST_OF_PATH)


@drawn
@given(
    route=st.sampled_from(["digests", "kinds", "namespaces", "proposals"]),
    name=often([*VALUES["path.name"], DIGEST], odd_texts),
)
def test_names_in_paths(client: Client, route: str, name: str) -> None:
    assume(name)
    most = MOST_OF_PROPOSAL if route == "proposals" else MOST_OF_PATH
    asked(client, f"{route}/{placed(name)}", {}, most)


@pytest.mark.any_database
@drawn
@given(after=often(range(3), numbers), namespace=often(["acme", "arm"], odd_texts))
def test_events(client: Client, after: str, namespace: str) -> None:
    asked(client, "events", {"after": after}, MOST_OF_PATH)
    asked(client, "events", {"namespace": namespace, "after": after}, MOST_OF_PATH)


@pytest.mark.any_database
@drawn
@given(data=st.data())
def test_cursor_that_was_touched_leads_nowhere(client: Client, data: st.DataObject) -> None:
    cursor = asked(client, "tags", {}, MOST_QUERIES).json()["next"].partition("cursor=")[2]
    at = data.draw(st.integers(0, len(cursor) - 1))
    other = data.draw(st.sampled_from("AZaz09_-:").filter(lambda letter: letter != cursor[at]))
    touched = f"{cursor[:at]}{other}{cursor[at + 1 :]}"
    response = asked(client, "tags", {"cursor": touched}, MOST_QUERIES)
    assert response.status_code == 400
    assert response.json()["code"] == "FILTER_INVALID"
