"""Search finds tags by the names that programs and people use, and suggests nothing for others."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.models import Posting
from registry.services.search import near_names
from registry.services.search.searching import SearchQuery, search

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("Tesla T4", "nvidia/nvidia-t4"),
        ("10de:1eb8", "nvidia/nvidia-t4"),
        ("NVIDIA GeForce RTX 4090", "nvidia/geforce-rtx-4090"),
        ("NVIDIA_GeForce_RTX_4090", "nvidia/geforce-rtx-4090"),
        ("tx2", "nvidia/jetson-tx2"),
    ],
)
def test_name_of_a_machine_finds_its_tag_first(text: str, tag: str) -> None:
    assert search(SearchQuery(text)).entries[0].text == tag


def test_names_without_a_digit_are_not_indexed() -> None:
    assert Posting.objects.filter(term="tx2", tag__text="nvidia/jetson-tx2").exists()
    assert not Posting.objects.filter(term="orinnanosuper").exists()


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("10de:1eb8", "nvidia/nvidia-t4"),
        ("NVIDIA_GeForce_RTX_4090", "nvidia/geforce-rtx-4090"),
        ("orin nano super", "nvidia/jetson-orin-nano"),
        ("NVIDIA H100", "nvidia/nvidia-h100"),  # one of several, of which this registry has one
    ],
)
def test_what_a_text_names_is_suggested_first(text: str, first: str) -> None:
    assert near_names.similar_tags(text)[0] == first


@pytest.mark.parametrize("text", ["gaudi 3", "steam deck", "Inferentia2", "trn2"])
def test_nothing_is_suggested_for_a_product_that_is_absent(text: str) -> None:
    with CaptureQueriesContext(connection) as captured:
        assert near_names.similar_tags(text) == ()
    assert len(captured) == 0


def test_tags_of_names_that_this_registry_lacks_are_not_suggested() -> None:
    assert "amd/instinct-mi300x" not in near_names.similar_tags("AMD Instinct MI300X")


@pytest.mark.parametrize(
    ("text", "product", "group"),
    [
        ("1002:744c", "1002:744c", "Names of several products"),
        ("Intel(R) Iris(R) Xe Graphics", "Intel Iris Xe Graphics", "Names of several products"),
        ("[10de:ffff]", "[10de:ffff]", "PCI devices"),
        ("steam deck", "Steam Deck", None),
    ],
)
def test_a_name_of_no_certain_tag_is_missing(text: str, product: str, group: str | None) -> None:
    results = search(SearchQuery(text))
    assert (results.entries, results.nearest) == ((), ())
    (missing,) = results.missing
    assert missing.product == product
    assert group is None or missing.group == group


def test_a_name_of_several_known_tags_finds_them() -> None:
    assert search(SearchQuery("NVIDIA H100")).missing == ()


def test_a_known_id_is_not_missing() -> None:
    assert search(SearchQuery("10de:1eb8")).missing == ()
