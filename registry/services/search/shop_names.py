"""Reads the GPU out of what a shop calls a card: `MSI RTX 4070 Ti Super 16GB Gaming X`."""

from __future__ import annotations

import re
from collections.abc import Collection

from registry.domain.identify.notations import product_names
from registry.domain.identify.notations.product_patterns import BRANDS, LAPTOP, MARKETING
from registry.domain.names.machine_names import MachineNames, OneTag, tags_named
from registry.domain.search.query_words import WordRole, read_words
from registry.domain.search.search_terms import split_words
from registry.domain.search.word_lists import BRANDS as PRODUCTS

OF_CARDS = BRANDS | MARKETING
HAS_A_CARD = re.compile(r"\bw/|\bwith\b", re.IGNORECASE)  # what is named before is another thing


# Decision 155: the patterns that tell cards in a pasted text tell them in a search, too.
def card_query(text: str, names: MachineNames) -> str:
    """Return the tag of the GPU that is all that a text names, with the text's numbers; or nothing.

    The numbers stay conditions: a card with other memory is another one.
    """
    if not text.isascii() or HAS_A_CARD.search(text) or len(list(product_names.read(text))) != 1:
        return ""
    draft = product_names.gpu_on_line(text, 0)
    if draft is None or not _numbers(text) <= {*split_words(draft.names[-1])}:
        return ""
    meanings = (tags_named(name, names) for name in draft.names)
    tag = next((meaning.tag for meaning in meanings if isinstance(meaning, OneTag)), "")
    laptops = " ".join(LAPTOP.findall(text))  # the lines that say which of two GPUs is meant
    if not tag or _names_another(text, {*split_words(f"{draft.names[-1]} {tag} {laptops}")}, names):
        return ""
    numbers = (number.text for number in read_words(text).numbers)
    return " ".join((tag, *numbers))


def _names_another(text: str, name: Collection[str], names: MachineNames) -> bool:
    """Return whether a word beside the name of a GPU is that of another maker or product."""
    others = {tag.partition("/")[0] for tag in names.names} | PRODUCTS
    return not others.isdisjoint({*split_words(text)} - {*name} - OF_CARDS)


def _numbers(text: str) -> set[str]:
    """Return the words that decide and begin with a digit: makers call series FTW3 or X3."""
    words = read_words(text).words
    return {word.text for word in words if word.role is WordRole.DECIDES and word.text[0].isdigit()}
