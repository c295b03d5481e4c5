"""Names one digit away from those of machines."""

import pytest

from registry.domain.search.search_terms import split_words
from registry.models import Name
from registry.services.catalogue.near_misses import near_misses

pytestmark = pytest.mark.django_db


def test_the_same_tags_give_the_same_names() -> None:
    names = near_misses(50)
    assert names == near_misses(50)
    assert len(set(names)) == 50


def test_no_tag_is_called_so() -> None:
    words = {
        word for text in Name.objects.values_list("text", flat=True) for word in split_words(text)
    }
    for name in near_misses(50):
        numbers = [word for word in split_words(name) if any(map(str.isdigit, word))]
        assert numbers[-1] not in words
