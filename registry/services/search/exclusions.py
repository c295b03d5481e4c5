"""Tells the machines that a search names from others that its words match, too.

Decision 143: an RTX 4070 Ti is no RTX 4070, nor is a machine that has one in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from registry.domain.search.query_words import WordRole
from registry.domain.search.search_terms import TermField, has_digit, split_words, weight_parts
from registry.domain.search.stated_numbers import FactAnswer
from registry.domain.search.word_lists import SAME_SUFFIXES, SUFFIXES
from registry.domain.search.word_runs import joined, positions_in
from registry.services.search.matching import MatchedTerms, Matches
from registry.services.search.number_answers import contradictions, number_answers
from registry.services.search.query_terms import QueryTerms, Word

REVISION = re.compile(r"v[0-9]+")
# A module of an ESP32-C3 is of another architecture than one of an ESP32.
MODULES = frozenset({"wroom", "wrover"})
OF_MODULE = re.compile(r"[chps][0-9]{1,2}|v[0-9]+")
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
    wants_gpu = not GPU_WORDS.isdisjoint({*query.unknown, *(word.text for word in query.words)})
    others = {
        pk: reasons
        for pk, tag in tags.items()
        if pk not in differs
        and pk not in exact
        and (reasons := _reasons(tag, pk, matches, query, wants_gpu=wants_gpu))
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
    tag: MatchedTag, pk: int, matches: Matches, query: QueryTerms, *, wants_gpu: bool
) -> tuple[str, ...]:
    """Return why a tag is another machine although it has all words."""
    deciding = [word for word in matches.words if word.decides]
    if not any(word.role is WordRole.DECIDES for word in deciding):
        return ()
    if all(_is_part(word, matches.tags[pk]) for word in deciding):
        return (PART,)
    if wants_gpu and tag.kind in CPU_KINDS:
        return (CPU,)
    may_go_on = matches.group or query.is_typed
    suffixes = () if may_go_on else tuple(_suffixes(tag.name, matches.words))
    return tuple(f"“{suffix}” in its name" for suffix in suffixes)


def _is_part(word: Word, terms: MatchedTerms) -> bool:
    """Return whether only a host or device of a tag has a word."""
    fields = (weight_parts(number)[0] for term, number in terms.items() if word.accepts(term))
    return min(fields, default=TermField.PART) is TermField.PART


def _suffixes(name: str, words: Sequence[Word]) -> Iterator[str]:
    """Yield the words of a name that follow a number of the search and change what it names."""
    parts = split_words(name.partition("/")[2].partition(":")[0])
    texts = [word.text for word in words]
    same = {SAME_SUFFIXES[text] for text in texts if text in SAME_SUFFIXES}
    covered = positions_in(parts, {*joined(texts), *same})
    pattern = REVISION if MODULES.isdisjoint(texts) else OF_MODULE
    for index, part in enumerate(parts):
        before = parts[index - 1] if index else ""
        if index in covered or not (part in SUFFIXES or pattern.fullmatch(part)):
            continue
        if index - 1 in covered and has_digit(before):
            yield part
