"""Search while somebody types."""

import pytest

from registry.models import Namespace
from registry.services.search import searching
from registry.services.search.search_query import SearchQuery
from tests.publishing import publish
from tests.services.search.searches import BOARD, search, tags

pytestmark = pytest.mark.django_db


def typed(text: str) -> list[str]:
    return tags(searching.search(SearchQuery(text, is_typed=True)))


@pytest.fixture
def _series(acme: Namespace) -> None:
    for name in ("zip-40", "zip-40-pro", "zip-40-v2", "zap-7995wx", "zap-95-v3"):
        publish(f"acme/{name}", BOARD | {"model": name})


@pytest.mark.usefixtures("_series")
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("zip 40 p", "acme/zip-40-pro"),
        ("zip 40 pr", "acme/zip-40-pro"),
        ("zip 40 v", "acme/zip-40-v2"),
        ("zap 7995w", "acme/zap-7995wx"),  # no power of 7995 W
        ("zap 95", "acme/zap-95-v3"),
    ],
)
def test_a_name_is_found_while_its_end_is_typed(text: str, wanted: str) -> None:
    assert wanted in typed(text)


@pytest.mark.usefixtures("_series")
@pytest.mark.parametrize("text", ["zip 41", "zip 41 pr", "zap 7996w", "zep 40", "zap 95 v2"])
def test_no_other_machine_is_found_while_a_name_is_typed(text: str) -> None:
    assert typed(text) == []


@pytest.mark.usefixtures("_series")
def test_what_is_typed_to_the_end_names_one_machine() -> None:
    assert tags(search("zip 40 pro")) == ["acme/zip-40-pro"]
    assert tags(search("zap 95")) == []
