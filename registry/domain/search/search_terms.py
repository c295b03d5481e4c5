"""The terms of tags: the words, and runs of words, by which search finds them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import islice, pairwise

from registry.domain.search.attributes import IndexedValue
from registry.domain.search.word_lists import STOP_WORDS

MAX_TERM = 40  # characters; longer words are prose, or digests
MAX_TERMS = 400  # of one tag; real ones have up to 100
MAX_JOINED = 3  # neighbouring words that are also one term: `zero 2 w` and `zero2w`
LAST = "~"  # sorts after all characters of terms
MAX_SIZE = 15  # words of a name that a weight distinguishes

WORD = re.compile(r"[a-z0-9]+")
PLUS = re.compile(r"(?<=[a-z0-9])\+(?![a-z0-9])")  # `8480+` is `8480 plus`, as in names
SERIES = re.compile(r"[a-z]{2,}[0-9]+(?=[a-z])")
MEMBER = re.compile(  # stm32 + h743, mimx + rt1060
    r"(?:[a-z]{2,}[0-9]+|mimx)(?P<member>[a-z][a-z0-9]*[0-9][a-z0-9]+)"
)
MIN_MEMBER = 4  # characters: the c3 of an ESP32-C3 is a machine of Google's cloud, too


class TermField(IntEnum):
    """The part of a tag that contains a term, the most significant first."""

    NAME = 0  # the whole name, or all of it after the namespace
    PRODUCT = 1  # the whole model
    VENDOR = 2  # the whole vendor
    FACT = 3  # a whole kind, architecture, family or category
    WORD = 4  # a word of a name
    MODEL = 5  # a word of the model
    DETAIL = 6  # a word of another fact
    CODE = 7  # processors, features, triples, keys, devices
    PART = 8  # any of these in a host or device


FIELDS: Mapping[str, TermField] = {  # of values, by the name of the option
    **dict.fromkeys(("model", "device_name"), TermField.PRODUCT),
    "vendor": TermField.VENDOR,
    **dict.fromkeys(("family", "category", "kind", "arch"), TermField.FACT),
    **dict.fromkeys(("mcpu", "march", "mattr", "os", "libc", "abi"), TermField.CODE),
    **dict.fromkeys(("codegen", "libs"), TermField.CODE),
}
OWN = frozenset({"category", "os", "libc", "abi"})  # not read of hosts and devices
WHOLE: Mapping[TermField, TermField] = {  # fields of whole values, with the field of their words
    TermField.PRODUCT: TermField.MODEL,
    TermField.VENDOR: TermField.DETAIL,
    TermField.FACT: TermField.DETAIL,
}
PARTS = ("/host/", "/devices/")


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms with their weights, and those of them that are words whose typos are corrected."""

    weights: Mapping[str, int]
    words: frozenset[str]

    def union(self, other: Terms) -> Terms:
        """Return the terms of both; those that both have, such as of two names, are repeated."""
        weights = {**self.weights, **other.weights}
        for term in self.weights.keys() & other.weights.keys():
            weights[term] = repeated(min(self.weights[term], other.weights[term]))
        return Terms(weights, self.words | other.words)


def split_words(text: str) -> list[str]:
    """Return the words of a text: runs of letters and digits in lower case."""
    return [word[:MAX_TERM] for word in WORD.findall(PLUS.sub(" plus", text.lower()))]


def has_digit(word: str) -> bool:
    """Return whether a word has a digit: it names a machine, and is never mended."""
    return any(character.isdigit() for character in word)


def weight(field: TermField, size: int) -> int:
    """Return a number that sorts terms: by field, then by the number of words of the name."""
    return 2 * (field * (MAX_SIZE + 1) + min(size, MAX_SIZE)) + 1


def repeated(number: int) -> int:
    """Return the weight of a term that also stands elsewhere, just before that of others."""
    return number - number % 2


def weight_parts(number: int) -> tuple[TermField, int, bool]:
    """Return the field, the number of words, and whether the term is repeated, of a weight."""
    field, size = divmod(number // 2, MAX_SIZE + 1)
    return TermField(field), size, number % 2 == 0


def name_terms(name: str) -> Terms:
    """Return the terms of a name or alias."""
    namespace, _, rest = name.partition("/")
    owner, words = split_words(namespace), split_words(rest)
    runs = _with_joined([*owner, *words], MAX_JOINED)  # `oneplus12` of oneplus/12-pro, too
    weights = dict.fromkeys(runs, weight(TermField.WORD, len(words)))
    parts = rest.split("/")
    whole = ("".join(split_words("/".join(parts[start:]))) for start in range(len(parts)))
    names = (*whole, "".join((*owner, *words)))
    whole_name = weight(TermField.NAME, len(words))
    weights |= dict.fromkeys((text[:MAX_TERM] for text in names if text), whole_name)
    words += owner
    return Terms(weights, frozenset((*words, *map(_series, words))))


def with_machine_names(terms: Terms, names: Iterable[str]) -> Terms:
    """Return terms with names by which programs and people call the tag, each as a whole.

    Names without a digit are left out: code names are words that mean other things, too. So are
    those with two numbers side by side, which would be one.
    """
    weights = dict(terms.weights)
    for name in names:
        words = split_words(name)
        whole = "".join(words)[:MAX_TERM]
        # `iPhone12,5` is an iPhone 11 Pro Max, and no `iphone 125`.
        is_split = any(one[-1].isdigit() and two[0].isdigit() for one, two in pairwise(words))
        if has_digit(whole) and not is_split:
            own = weight(TermField.NAME, len(words))
            weights[whole] = min(own, weights.get(whole, own))
    return Terms(weights, terms.words)


def tag_terms(name: str, values: Iterable[IndexedValue], *, vendor: str, arch: str) -> Terms:
    """Return the terms of a tag: its name, and its newest version's values.

    `vendor` and `arch` are those that lists show. Of more than 400 terms, those of the first
    fields are kept. A word that is in the name too only counts elsewhere as a whole value.
    """
    own, size = name_terms(name), len(split_words(name.partition("/")[2]))
    texts = {(TermField.VENDOR, vendor), (TermField.FACT, arch)}
    texts.update((field, value.text) for value in values if (field := field_of(value)) is not None)
    fields: dict[str, TermField] = {}
    words = set(own.words)
    for field, text in sorted(texts):
        parts, terms = text_terms(field, text)
        words.update(parts)
        for term, term_field in terms:
            # A model that begins with its vendor has the vendor's name only as a part.
            fields[term] = min(term_field, fields.get(term, term_field))
    weights = dict(own.weights)
    for term, field in islice(fields.items(), MAX_TERMS):
        if term not in own.weights:
            weights[term] = weight(field, size)
        elif field < TermField.WORD:
            weights[term] = repeated(min(own.weights[term], weight(field, size)))
    return Terms(weights, frozenset(words))


@lru_cache(maxsize=10_000)  # tags share most values
def text_terms(
    field: TermField, text: str
) -> tuple[frozenset[str], tuple[tuple[str, TermField], ...]]:
    """Return the words of a value whose typos are corrected, and its terms, each with its field."""
    chunks = [text] if field is TermField.PRODUCT else text.split()  # of a model, any neighbours
    inner = WHOLE.get(field, field)
    terms: dict[str, TermField] = {}
    words: list[str] = []
    for chunk in chunks:
        parts = [word for word in split_words(chunk) if word not in STOP_WORDS]
        runs = _with_joined(parts, MAX_JOINED)
        if field is TermField.CODE and parts[:1] == ["apple"]:  # M2s have `-mcpu=apple-a15`
            runs = (run for run in runs if run.isalpha() or run not in parts)
        terms |= dict.fromkeys(runs, inner)
        words += parts
    if inner is not field and words:
        terms["".join(words)[:MAX_TERM]] = field
    return frozenset(() if field is TermField.PART else words), tuple(terms.items())


def field_of(value: IndexedValue) -> TermField | None:
    """Return the field of a value; None if search does not read it, or the feature is off."""
    field = FIELDS.get(value.name)
    if field is None or value.text.startswith("-"):
        return None
    if value.pointer.startswith(PARTS):
        return None if value.name in OWN else TermField.PART
    return field


def _with_joined(words: Sequence[str], longest: int) -> Iterator[str]:
    """Yield words, the members that part numbers name, and runs of words as one term.

    `stm32h743` also yields `h743`, `cortex m7` also `cortexm7`.
    """
    for index, word in enumerate(words):
        yield word
        if (match := MEMBER.fullmatch(word)) and len(match["member"]) >= MIN_MEMBER:
            yield match["member"]
        for end in range(index + 2, min(index + longest, len(words)) + 1):
            yield "".join(words[index:end])[:MAX_TERM]


def _series(word: str) -> str:
    """Return what a part number begins with up to its first digits: `stm32` of `stm32h743`."""
    match = SERIES.match(word)
    return match.group() if match else word
