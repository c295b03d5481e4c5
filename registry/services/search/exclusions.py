"""Tells the machines that a search names from others that its words match, too.

Decision 143: an RTX 4070 Ti is no RTX 4070, nor is a machine that has one in it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from registry.domain.search.name_differences import NameWords
from registry.domain.search.query_words import WordRole
from registry.domain.search.search_terms import TermField, weight_parts
from registry.domain.search.stated_numbers import YEAR, FactAnswer
from registry.domain.search.word_lists import SUFFIXES
from registry.services.search.matching import MatchedTerms, Matches, left_out
from registry.services.search.number_answers import contradictions, number_answers
from registry.services.search.query_terms import QueryTerms, Word

PART = "has it as a part"
CPU = "builds for a CPU"
CPU_KINDS = frozenset({"llvm", "c"})
GPU_WORDS = frozenset({"gpu", "gpus"})


@dataclass(frozen=True, slots=True)
class MatchedTag:
    """A tag that has the words of a search, with the kind of its target."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Exclusions:
    """Matches that are no results, with what differs, by primary key.

    `others` are tags that only follow results that are named exactly, or else are excluded.
    `unstated` are the numbers that the facts of a result do not state.
    """

    differs: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    others: frozenset[int] = frozenset()
    unstated: Mapping[int, tuple[str, ...]] = field(default_factory=dict)


def find_exclusions(
    tags: Mapping[int, MatchedTag],
    exact: Collection[int],
    matches: Matches,
    query: QueryTerms,
    finds_named: Callable[[], bool],
) -> Exclusions:
    """Return which of the matching tags, by primary key, are other machines than the search's.

    Those in `exact` are named by the whole search. If none is named, `finds_named` says whether one
    is that filters leave out. One query, if the search has numbers.
    """
    differs: dict[int, tuple[str, ...]] = {}
    unstated: dict[int, tuple[str, ...]] = {}
    names = {pk: tag.name for pk, tag in tags.items()}
    for pk, answers in number_answers(names, query.numbers, matches.tags).items():
        if wrong := contradictions(answers):
            differs[pk] = wrong
        elif open_ := tuple(text for answer, text in answers if answer is FactAnswer.UNSTATED):
            unstated[pk] = open_
    differs |= _without_numbers(tags, query, differs, unstated)
    is_cut = bool(left_out(query))
    wants_gpu = not GPU_WORDS.isdisjoint({*query.unknown, *(word.text for word in query.words)})
    others = {
        pk: reasons
        for pk, tag in tags.items()
        if pk not in differs
        and pk not in exact
        and (reasons := _reasons(tag, pk, matches, query, wants_gpu=wants_gpu, is_cut=is_cut))
    }
    named = [pk for pk in tags if pk not in differs and pk not in others]
    group = matches.group
    is_lone = (
        group and not query.is_typed and not _goes_on(group, [matches.tags[pk] for pk in named])
    )
    if (not named or is_lone) and not (others and finds_named()):
        lone = dict.fromkeys(named, (f"its name only begins with “{matches.beginning}”",))
        return Exclusions({**differs, **others, **lone})
    return Exclusions(differs, frozenset(others), unstated)


def _without_numbers(
    tags: Mapping[int, MatchedTag],
    query: QueryTerms,
    differs: Collection[int],
    unstated: Mapping[int, tuple[str, ...]],
) -> Mapping[int, tuple[str, ...]]:
    """Return the tags that do not state a number and are no results either, with the reason.

    If no tag states a year, it may be the number of a product: a Quadro 2000. If the machine that
    the search names has another number, machines with a longer name do not have it instead: an RTX
    3080 Ti Laptop GPU is no RTX 3080 Ti of 20 GB.
    """
    texts = [word.text for word in query.words]
    has_year = any(number.title == YEAR for number in query.numbers)
    is_named = any(word.role is WordRole.DECIDES for word in query.words)
    if has_year and not is_named and len(differs) + len(unstated) == len(tags):
        return {pk: (f"not {', '.join(numbers)}",) for pk, numbers in unstated.items()}
    if not is_named or all(NameWords.of(tags[pk].name, texts).others for pk in differs):
        return {}
    others = {pk: NameWords.of(tags[pk].name, texts).others for pk in unstated}
    return {pk: _in_name(words) for pk, words in others.items() if words}


def _goes_on(word: Word, tags: Iterable[MatchedTerms]) -> bool:
    """Return whether the word that names begin with goes on in several ways.

    Letters and the letters at the end of a part number, as in `am62a`, always name a group.
    """
    if all(prefix[-1].isalpha() for prefix in word.prefixes):
        return True
    rests = {
        term.removeprefix(prefix)
        for terms in tags
        if not word.is_in(terms)
        for term in terms
        for prefix in word.prefixes
        if term.startswith(prefix)
    }
    shortest = min(rests, key=len, default="")
    return any(not rest.startswith(shortest) for rest in rests)


def _reasons(
    tag: MatchedTag,
    pk: int,
    matches: Matches,
    query: QueryTerms,
    *,
    wants_gpu: bool,
    is_cut: bool,
) -> tuple[str, ...]:
    """Return why a tag is another machine although it has all words that any tag has.

    If the search `is_cut`, a word was left out that may stand in the place of one of the tag's.
    """
    deciding = [word for word in matches.words if word.decides]
    if letters := [word.text for word in deciding if _is_only_in_facts(word, matches.tags[pk])]:
        return tuple(f"not {letter}" for letter in letters)
    has_number = any(word.role is WordRole.DECIDES for word in deciding)
    if has_number and all(_is_part(word, matches.tags[pk]) for word in deciding):
        return (PART,)
    if has_number and wants_gpu and tag.kind in CPU_KINDS:
        return (CPU,)
    if matches.group or query.is_typed:  # the name may go on
        return ()
    name = NameWords.of(tag.name, [word.text for word in matches.words])
    if not has_number:
        return _in_name(name.between)
    others = name.after_numbers if is_cut else ()
    return _in_name((*name.prefixes, *name.suffixes, *name.between, *others))


def _in_name(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"“{word}” in its name" for word in dict.fromkeys(words))


def _is_only_in_facts(word: Word, terms: MatchedTerms) -> bool:
    """Return whether a letter that changes a name is none of it: the x of `4 x Kryo`."""
    if len(word.text) > 1 or word.text not in SUFFIXES:
        return False
    return min(_fields(word, terms), default=TermField.NAME) > TermField.MODEL


def _is_part(word: Word, terms: MatchedTerms) -> bool:
    """Return whether only a host or device of a tag has a word."""
    return min(_fields(word, terms), default=TermField.PART) is TermField.PART


def _fields(word: Word, terms: MatchedTerms) -> Iterator[TermField]:
    """Yield the fields of a tag that have a word."""
    return (weight_parts(number)[0] for term, number in terms.items() if word.accepts(term))
