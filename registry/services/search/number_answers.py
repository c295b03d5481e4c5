"""Compares the numbers of a search with the facts and names of tags."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

from django.db.models import Q, QuerySet

from registry.domain.descriptions.machines import byte_text
from registry.domain.search.search_terms import split_words
from registry.domain.search.stated_numbers import YEAR, FactAnswer, StatedNumber
from registry.models import Attribute
from registry.models.planner_hints import OneOf

Stated = Mapping[int, Mapping[str, Sequence[float]]]  # values by tag and pointer


class NumberAnswer(NamedTuple):
    """The answer of a tag to a number; `text` is the number, or what differs."""

    answer: FactAnswer
    text: str


def number_answers(
    names: Mapping[int, str],
    numbers: Sequence[StatedNumber],
    terms: Mapping[int, Collection[str]] | None = None,
) -> Mapping[int, list[NumberAnswer]]:
    """Return what tags say about each number, by primary key: by their terms, names or facts.

    One query, if there are numbers.
    """
    if not numbers or not names:
        return {}
    stated = _stated(names, {pointer for number in numbers for pointer in number.pointers})
    return {
        tag: [
            _answer(number, name, (terms or {}).get(tag, ()), number.stated_by(stated.get(tag, {})))
            for number in numbers
        ]
        for tag, name in names.items()
    }


def contradictions(answers: Sequence[NumberAnswer]) -> tuple[str, ...]:
    """Return what differs from the numbers that a tag contradicts."""
    return tuple(text for answer, text in answers if answer is FactAnswer.CONTRADICTS)


def _stated(tags: Collection[int], pointers: Collection[str]) -> Stated:
    stated: dict[int, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    rows = Attribute.objects.filter(OneOf("tag", tags), name__in=_names(pointers))
    for tag, pointer, value in rows.values_list("tag", "pointer", "number"):
        if pointer in pointers and value is not None:
            stated[tag][pointer].append(value)
    return stated


def rows_stating(number: StatedNumber) -> QuerySet[Attribute]:
    """Return the attributes that state a number, with a column `tag`."""
    is_meant = reduce(or_, (Q(number__range=limits) for limits in number.ranges))
    rows = Attribute.objects.filter(is_meant, name__in=_names(number.pointers))
    return rows.filter(pointer__in=number.pointers)


def _names(pointers: Collection[str]) -> set[str]:
    """Return the names of values at some pointers, by which the database finds them."""
    return {pointer.rpartition("/")[2] for pointer in pointers}


def _answer(
    number: StatedNumber, name: str, terms: Collection[str], values: Sequence[float]
) -> NumberAnswer:
    """Return the answer of a tag to a number, which may stand in its name."""
    if "".join(split_words(number.text)) in terms:
        return NumberAnswer(FactAnswer.MEETS, number.text)
    if named := [other for other in _numbers_of_name(name) if other.title == number.title]:
        if any(other.ranges == number.ranges for other in named):
            return NumberAnswer(FactAnswer.MEETS, number.text)
        return NumberAnswer(FactAnswer.CONTRADICTS, _difference(number, named[0].value))
    answer = number.answer(values)
    if answer is not FactAnswer.CONTRADICTS:
        return NumberAnswer(answer, number.text)
    return NumberAnswer(answer, _difference(number, values[0]))


def _difference(number: StatedNumber, value: float) -> str:
    """Return the value of a tag and that of a search, spelt alike."""
    texts = (
        byte_text(each) if number.title == "memory" else f"{each:g}"
        for each in (value, number.value)
    )
    return f"{number.title}: {', not '.join(texts)}"


def _numbers_of_name(name: str) -> Iterator[StatedNumber]:
    """Yield the numbers with a unit in a name, such as the 80gb of `nvidia/a100-sxm4-80gb`.

    Years end a name: an RTX 2000 is of no year.
    """
    words = name.partition("/")[2].partition(":")[0].replace("-", " ")
    for number in StatedNumber.all_in(words):
        if number.title != YEAR or words.endswith(number.text):
            yield number
