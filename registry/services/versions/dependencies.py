"""Loads the versions that a body refers to, and detects cycles."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import F, Q, QuerySet

from registry.domain.errors import Code, Fault, Refused, refuse_all
from registry.domain.reference import Reference, Tag as TagName
from registry.domain.resolution.body_references import BodyReference
from registry.domain.resolution.merging import MAX_LOADED, PublishedVersion
from registry.models import Ancestry, Dependency, Name, Tag, Version
from registry.models.versions import NUMBERS
from registry.services.versions import selection
from registry.services.versions.selection import SelectedVersion
from ttag_rules.selectors import NEWEST, Selector

MAX_SUGGESTED = 8  # unknown references for which similar names are looked up


@dataclass(frozen=True, slots=True)
class Dependencies:
    """The versions that a body's references resolve to, by reference text."""

    choices: Mapping[str, SelectedVersion]
    versions: Mapping[str, PublishedVersion]


def load_dependencies(
    requests: Sequence[BodyReference], tag: TagName | None = None
) -> Dependencies:
    """Load the versions that the references in a body resolve to: of `tag`, or of none.

    Takes a constant number of queries, and one for each level of references if other tags refer to
    `tag`. Raises `Refused` (TOO_LARGE), or with a fault for every reference that is unknown,
    yanked or leads back to the tag (CYCLE).
    """
    if not requests:
        return Dependencies({}, {})
    references = {str(request.reference): request.reference for request in requests}
    choices = choose_versions(requests, selection.select_all(references.values()))
    if tag:
        refuse_cycles(requests, choices, str(tag))
    refuse_too_large(choices.values())
    return build_dependencies(
        choices, load_published({choice.version.pk for choice in choices.values()})
    )


def load_answers(
    requests: Iterable[BodyReference],
) -> tuple[Mapping[str, SelectedVersion | Refused], Mapping[int, PublishedVersion]]:
    """Return what the references of many bodies resolve to, by text, and load these versions.

    Three queries.
    """
    answers = selection.select_all(list({str(r.reference): r.reference for r in requests}.values()))
    selected = {a.version.pk for a in answers.values() if isinstance(a, SelectedVersion)}
    return answers, load_published(selected) if selected else {}


def build_dependencies(
    choices: Mapping[str, SelectedVersion], versions: Mapping[int, PublishedVersion]
) -> Dependencies:
    """Return dependencies from selected versions and `versions`, by primary key."""
    return Dependencies(choices, {text: versions[c.version.pk] for text, c in choices.items()})


def refuse_too_large(choices: Iterable[SelectedVersion]) -> None:
    """Raise `Refused` (TOO_LARGE) if the targets are larger than one body may use."""
    size = sum({choice.exact: choice.version.size for choice in choices}.values())
    if size > MAX_LOADED:
        raise Refused(
            Code.TOO_LARGE,
            f"The referenced targets have {size} bytes: at most {MAX_LOADED} are allowed.",
        )


def choose_versions(
    requests: Sequence[BodyReference], answers: Mapping[str, SelectedVersion | Refused]
) -> dict[str, SelectedVersion]:
    """Return the versions that a body's references resolve to, by reference text.

    `answers` holds at least their answers. Raises `Refused` with a fault for every reference that
    does not resolve or is yanked. Faults give the reason of a yank and, for the first unknown
    references, similar names; only these take queries.
    """
    own = {str(request.reference): answers[str(request.reference)] for request in requests}
    suggested = 0
    for request in requests:
        text = str(request.reference)
        answer = own[text]
        if isinstance(answer, Refused) and suggested < MAX_SUGGESTED:
            suggested += 1
            own[text] = selection.with_suggestions(answer, request.reference)
    return accept_selected(requests, own, _yank_reasons(own.values()))


def accept_selected(
    requests: Sequence[BodyReference],
    answers: Mapping[str, SelectedVersion | Refused],
    reasons: Mapping[int, str] | None = None,
) -> dict[str, SelectedVersion]:
    """Return the versions that a body's references resolve to, by reference text. No query.

    Raises `Refused` with a fault for every reference that does not resolve or is yanked.
    """
    faults: list[Fault] = []
    selected: dict[str, SelectedVersion] = {}
    for request in requests:
        answer = answers[str(request.reference)]
        if isinstance(answer, Refused):
            faults.append(_fault(request, answer.code, answer.detail, answer.suggestions))
        elif answer.version.yanked:
            reason = (reasons or {}).get(answer.version.pk)
            message = f"{answer.exact} was yanked" + (f": {reason}" if reason else "")
            faults.append(_fault(request, Code.PARENT_INVALID, message))
        else:
            selected[str(request.reference)] = answer
    refuse_all(faults)
    return selected


def _yank_reasons(answers: Iterable[SelectedVersion | Refused]) -> dict[int, str]:
    """Return the reasons of yanked versions among the answers, by primary key."""
    yanked = [a.version.pk for a in answers if isinstance(a, SelectedVersion) and a.version.yanked]
    if not yanked:
        return {}
    withdrawn = Version.objects.filter(pk__in=yanked).with_withdrawal().only("pk")
    return {version.pk: version.last_reason or "" for version in withdrawn}


def _fault(
    request: BodyReference, code: Code, message: str, suggestions: Sequence[str] = ()
) -> Fault:
    expected = "a tag or version that exists and is not yanked"
    return Fault(
        request.pointer, code, message, expected, str(request.reference), tuple(suggestions)
    )


def would_depend_on_itself(version: Version) -> bool:
    """Return whether a tag would depend on itself if this version were its newest."""
    starts = {use.tag for use in _filter_floating(Dependency.objects.filter(version=version))}
    return bool(FloatingGraph.load(starts).find_reaching({version.tag_id}, starts))


def would_create_cycle(name: Name, tag: Tag, selector: Selector = NEWEST) -> bool:
    """Return whether any tag would depend on itself if this name pointed to that tag."""
    uses = Dependency.objects.filter(name=name, version__entry__isnull=False)
    requests = uses.values_list("version__tag", "requested")
    users = {user for user, requested in requests if _floats(requested, selector)}
    return bool(users and FloatingGraph.load({tag.pk}).find_reaching(users, {tag.pk}))


@dataclass(frozen=True, slots=True)
class FloatingGraph:
    """The tags that newest versions use by floating references, by primary key."""

    uses: dict[int, set[int]]

    @classmethod
    def load(cls, starts: Collection[int]) -> FloatingGraph:
        """Load everything that some tags depend on. One query for each level of references."""
        uses: dict[int, set[int]] = {}
        unvisited = set(starts)
        while unvisited:
            uses |= {pk: set() for pk in unvisited}
            for use in _filter_floating(Dependency.objects.filter(version__entry__in=unvisited)):
                uses[use.source].add(use.tag)
            unvisited = {used for pk in unvisited for used in uses[pk]} - uses.keys()
        return cls(uses)

    def find_reaching(self, goals: Collection[int], starts: Collection[int]) -> set[int]:
        """Return the tags of `starts` that are a goal or depend on one."""
        return {start for start in starts if self._reaches(set(goals), start)}

    def refuse_cycles(
        self,
        requests: Sequence[BodyReference],
        choices: Mapping[str, SelectedVersion],
        tag: str,
        keys: Collection[int],
    ) -> None:
        """Raise `Refused` (CYCLE) if a body would make its tag depend on itself.

        `keys` holds the primary key of the tag, if it exists.
        """
        starts = floating_tags(requests, choices)
        circular = {pk for pk, used in starts.items() if used.text == tag}
        circular |= self.find_reaching(keys, starts) if keys else set()
        refuse_all(
            _fault(request, Code.CYCLE, f"{request.reference} depends on {tag} itself")
            for request in requests
            if (choice := choices[str(request.reference)]).is_floating and choice.tag.pk in circular
        )

    def _reaches(self, goals: set[int], start: int) -> bool:
        seen, unvisited = set[int](), {start}
        while unvisited and not unvisited & goals:
            seen |= unvisited
            unvisited = {used for pk in unvisited for used in self.uses.get(pk, ())} - seen
        return bool(unvisited)


def floating_tags(
    requests: Iterable[BodyReference], choices: Mapping[str, SelectedVersion]
) -> dict[int, Tag]:
    """Return the tags that a body uses by floating references, by primary key."""
    selected = (choices[str(request.reference)] for request in requests)
    return {choice.tag.pk: choice.tag for choice in selected if choice.is_floating}


def refuse_cycles(
    requests: Sequence[BodyReference], choices: Mapping[str, SelectedVersion], tag: str
) -> None:
    """Raise `Refused` (CYCLE) if the tag would depend on itself.

    Only floating references of newest versions count.
    """
    starts = floating_tags(requests, choices)
    goals: list[int] = []
    if starts and tag not in map(str, starts.values()):
        used = Tag.objects.filter(text=tag, names__uses__isnull=False)
        goals = list(used.values_list("pk", flat=True)[:1])
    graph = FloatingGraph.load(starts) if goals else FloatingGraph({})
    graph.refuse_cycles(requests, choices, tag, goals)


def floating_uses(tags: Collection[int]) -> Iterator[FloatingUse]:
    """Iterate over floating references from newest versions to some tags. One query."""
    newest = Dependency.objects.filter(name__tag__in=tags, version__entry__isnull=False)
    return _filter_floating(newest)


class FloatingUse(NamedTuple):
    """A floating reference, as the tag that contains it and the tag it now points at."""

    source: int
    tag: int


def _filter_floating(uses: QuerySet[Dependency]) -> Iterator[FloatingUse]:
    """Yield the uses that float, given what their names point at now. One query."""
    possible = uses.filter(Q(is_floating=True) | Q(name__is_alias=True)).select_related("name")
    for use in possible.annotate(source=F("version__tag")):
        if _floats(use.requested, use.name.selector):
            yield FloatingUse(use.source, use.name.tag_id)


def load_published(pks: Collection[int]) -> dict[int, PublishedVersion]:
    """Load versions for merging, by primary key. Two queries."""
    lineages: dict[int, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    ancestry = Ancestry.objects.filter(version__in=pks).order_by("version", "position")
    for row in ancestry.select_related("ancestor__tag").only(
        "version_id", "distance", "ancestor__tag__text", *_numbers("ancestor__")
    ):
        lineages[row.version_id][row.distance].append(row.ancestor.exact)
    versions = Version.objects.filter(pk__in=pks).select_related("tag")
    return {
        version.pk: PublishedVersion(
            tag=version.tag.text,
            number=version.number,
            target=json.loads(version.target),
            provenance=json.loads(version.provenance),
            lineage=tuple(tuple(level) for _, level in sorted(lineages[version.pk].items())),
            depth=version.depth,
        )
        for version in versions.only("target", "provenance", "depth", "tag__text", *_numbers(""))
    }


def _numbers(prefix: str) -> list[str]:
    return [f"{prefix}{part}" for part in NUMBERS]


# Decision 017: names move, so what floats is read from the name as it is now.
def _floats(requested: str, pinned: Selector) -> bool:
    """Return whether a reference floats; `pinned` is the selector of its name, if it has one."""
    selector = pinned if str(pinned) else Reference.parse(requested).selector
    return selector.is_floating
