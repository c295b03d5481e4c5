"""Impact of a yank: the dependents of the version, and the versions that would replace it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Count

from registry.domain.reference import Reference
from registry.models import Dependency, Version
from registry.services.versions import selection
from registry.services.versions.selection import NamedTag, SelectedVersion
from ttag_rules.selectors import NEWEST, Selector

MAX_DEPENDENTS = 10  # dependents listed by name


@dataclass(frozen=True, slots=True)
class ReferenceImpact:
    """A floating reference that would skip the version; `users` counts the tags that use it.

    `answer` is the exact reference that it would resolve to, empty if none.
    """

    reference: str
    answer: str
    users: int


@dataclass(frozen=True, slots=True)
class YankImpact:
    """The impact of yanking a version.

    `dependents` are the first of `dependent_count` tags whose newest versions have it in their
    lineage; `skipping` holds the floating references that would skip it.
    """

    choice: SelectedVersion
    dependents: tuple[str, ...]
    dependent_count: int
    skipping: tuple[ReferenceImpact, ...]

    @property
    def unlisted_dependents(self) -> int:
        """Return the number of dependents that are not listed."""
        return self.dependent_count - len(self.dependents)

    @property
    def is_last_version(self) -> bool:
        """Return whether the tag itself would no longer resolve."""
        return any(not row.answer and "@" not in row.reference for row in self.skipping)


def compute_yank_impact(reference: Reference) -> YankImpact:
    """Compute the impact of yanking the version of an exact reference. Five queries.

    Raises `Refused` as resolving does.
    """
    choice = selection.select_one(reference)
    dependents = Version.objects.filter(ancestry__ancestor=choice.version.pk, entry__isnull=False)
    names = dependents.order_by("tag__text").values_list("tag__text", flat=True)
    named = selection.find_names([reference.text])[reference.text]
    return YankImpact(
        choice,
        tuple(names[:MAX_DEPENDENTS]),
        dependents.count(),
        tuple(_skipping(choice, named, _users(choice))),
    )


def _skipping(
    choice: SelectedVersion, named: NamedTag, users: Counter[str]
) -> Iterator[ReferenceImpact]:
    """Yield the floating references that resolve to the version, the widest first."""
    number = choice.version.number
    rest = [version for version in named.versions if version.pk != choice.version.pk]
    for selector in (NEWEST, Selector(number.parts[:1]), Selector(number.parts[:2])):
        selected = selector.choose(named.versions)
        if selected and selected.pk == choice.version.pk:
            substitute = selector.choose(rest)
            answer = f"{choice.tag.text}@{substitute.number}" if substitute else ""
            text = str(Reference(choice.tag.text, selector))
            yield ReferenceImpact(text, answer, users[str(selector)])


def _users(choice: SelectedVersion) -> Counter[str]:
    """Count the newest versions that use the tag, by their selector or their alias's."""
    columns = ("major", "minor", "patch", "digest")
    uses = Dependency.objects.filter(name__tag=choice.tag.pk, version__entry__isnull=False)
    requests = uses.order_by().values_list("requested", *(f"name__{part}" for part in columns))
    counts: Counter[str] = Counter()
    for requested, *parts, digest, users in requests.annotate(
        users=Count("version", distinct=True)
    ):
        numbers = tuple(part for part in parts if part is not None)
        selector = Selector(numbers, digest)
        counts[str(selector) or str(Reference.parse(requested).selector)] += users
    return counts
