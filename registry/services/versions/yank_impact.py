"""What a yank would leave: who is made from the version, and what would answer in its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Count

from registry.domain.reference import NEWEST, Reference, Selector
from registry.models import Dependency, Version
from registry.services.versions import selection
from registry.services.versions.selection import NamedTag, SelectedVersion

MAX_DEPENDENTS = 10  # dependents that are named


@dataclass(frozen=True, slots=True)
class ReferenceImpact:
    """A floating reference that would pass over the version; `users` are tags that wrote it.

    `answer` is the exact reference that would answer instead, empty where nothing would.
    """

    reference: str
    answer: str
    users: int


@dataclass(frozen=True, slots=True)
class YankImpact:
    """What a yank of a version would mean.

    `dependents` are the first of `dependent_count` tags whose newest versions are made from it,
    near or far.
    """

    choice: SelectedVersion
    dependents: tuple[str, ...]
    dependent_count: int
    passing: tuple[ReferenceImpact, ...]

    @property
    def more_dependents(self) -> int:
        """How many are not named."""
        return self.dependent_count - len(self.dependents)

    @property
    def leaves_nothing(self) -> bool:
        """Whether no version would be left for who asks for the tag."""
        return any(not each.answer and "@" not in each.reference for each in self.passing)


def compute_yank_impact(reference: Reference) -> YankImpact:
    """What would pass over the version that an exact reference names. Five queries.

    Raises `Refused` as resolving does.
    """
    choice = selection.select_one(reference)
    made = Version.objects.filter(ancestry__ancestor=choice.version.pk, entry__isnull=False)
    names = made.order_by("tag__text").values_list("tag__text", flat=True)
    named = selection.find_names([reference.text])[reference.text]
    return YankImpact(
        choice,
        tuple(names[:MAX_DEPENDENTS]),
        made.count(),
        tuple(_passing(choice, named, _users(choice))),
    )


def _passing(
    choice: SelectedVersion, named: NamedTag, users: Counter[str]
) -> Iterator[ReferenceImpact]:
    """The widest reference first. None where the version is yanked already."""
    number = choice.version.number
    rest = [version for version in named.versions if version.pk != choice.version.pk]
    for selector in (NEWEST, Selector(number.parts[:1]), Selector(number.parts[:2])):
        answers = selector.choose(named.versions)
        if answers and answers.pk == choice.version.pk:
            instead = selector.choose(rest)
            answer = f"{choice.tag.text}@{instead.number}" if instead else ""
            asked = str(Reference(choice.tag.text, selector))
            yield ReferenceImpact(asked, answer, users[str(selector)])


def _users(choice: SelectedVersion) -> Counter[str]:
    """How many newest versions ask for the tag by each selector, an alias's in place of theirs."""
    fixed = ("major", "minor", "patch", "digest")
    uses = Dependency.objects.filter(name__tag=choice.tag.pk, version__entry__isnull=False)
    asked = uses.order_by().values_list("requested", *(f"name__{part}" for part in fixed))
    found: Counter[str] = Counter()
    for requested, *parts, digest, users in asked.annotate(users=Count("version", distinct=True)):
        numbers = tuple(part for part in parts if part is not None)
        selector = Selector(numbers, digest)
        found[str(selector) or str(Reference.parse(requested).selector)] += users
    return found
