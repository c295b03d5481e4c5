"""The versions that a body refers to, loaded for the pass that resolves it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import F, Q, QuerySet, Sum

from registry.domain.body_references import BodyReference
from registry.domain.errors import Code, Fault, Refused, refuse_all
from registry.domain.merging import MAX_LOADED, PublishedVersion
from registry.domain.reference import NEWEST, Reference, Selector, Tag as TagName
from registry.models import Ancestry, Dependency, Name, Tag, Version
from registry.services.versions import selection
from registry.services.versions.selection import SelectedVersion

MAX_SUGGESTED = 8  # unknown references whose near names are looked for


@dataclass(frozen=True, slots=True)
class Dependencies:
    """What a body's references stand for at one moment."""

    choices: Mapping[str, SelectedVersion]
    versions: Mapping[str, PublishedVersion]


def load_dependencies(requests: Sequence[BodyReference], tag: TagName) -> Dependencies:
    """Load what a body's references stand for; `tag` is whose body it is.

    Raises `Refused` with a fault for every reference that is unknown, yanked or leads back to the
    tag (CYCLE), or `TOO_LARGE`. A constant number of queries, unless a tag that others are made
    from is published: then one for each level above it.
    """
    if not requests:
        return Dependencies({}, {})
    choices = select_versions(requests)
    refuse_cycles(requests, choices, str(tag))
    pks = {choice.version.pk for choice in choices.values()}
    refuse_too_large(Version.objects.filter(pk__in=pks).aggregate(sum=Sum("size"))["sum"] or 0)
    return build_dependencies(choices, load_published(pks))


def build_dependencies(
    choices: Mapping[str, SelectedVersion], versions: Mapping[int, PublishedVersion]
) -> Dependencies:
    """What choices stand for, given the versions by their primary keys."""
    return Dependencies(choices, {text: versions[c.version.pk] for text, c in choices.items()})


def refuse_too_large(size: int) -> None:
    """Raise `Refused` (TOO_LARGE) where the versions referred to have too many bytes together."""
    if size > MAX_LOADED:
        raise Refused(
            Code.TOO_LARGE,
            f"The versions referred to have {size} bytes of targets: at most {MAX_LOADED}.",
        )


def select_versions(requests: Sequence[BodyReference]) -> dict[str, SelectedVersion]:
    """The versions that answer, by reference text. Raises `Refused` with a fault for each other.

    The first faults say more: the near names of what is unknown, the reason of what is yanked.
    """
    answers = selection.select_all({str(r.reference): r.reference for r in requests}.values())
    said = 0
    for request in requests:
        text = str(request.reference)
        answer = answers[text]
        if isinstance(answer, Refused) and said < MAX_SUGGESTED:
            said += 1
            answers[text] = selection.with_suggestions(answer, request.reference)
    return accept_selected(requests, answers, _reasons(answers.values()))


def accept_selected(
    requests: Sequence[BodyReference],
    answers: Mapping[str, SelectedVersion | Refused],
    reasons: Mapping[int, str] | None = None,
) -> dict[str, SelectedVersion]:
    """Of what answers to references, what a body's requests ask for. No query.

    Raises `Refused` with a fault for each request that is not answered, or by what is yanked.
    """
    faults: list[Fault] = []
    found: dict[str, SelectedVersion] = {}
    for request in requests:
        answer = answers[str(request.reference)]
        if isinstance(answer, Refused):
            faults.append(_fault(request, answer.code, answer.detail, answer.suggestions))
        elif answer.version.yanked:
            reason = (reasons or {}).get(answer.version.pk)
            message = f"{answer.exact} was yanked" + (f": {reason}" if reason else "")
            faults.append(_fault(request, Code.PARENT_INVALID, message))
        else:
            found[str(request.reference)] = answer
    refuse_all(faults)
    return found


def _reasons(answers: Iterable[SelectedVersion | Refused]) -> dict[int, str]:
    """Why what is yanked among the answers was."""
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


def would_reach_itself(version: Version) -> bool:
    """Whether a tag would reach itself if this version of it were the newest."""
    starts = {use.tag for use in _floating(Dependency.objects.filter(version=version))}
    return bool(_reaching({version.tag_id}, starts))


def would_create_cycle(name: Name, tag: Tag, selector: Selector = NEWEST) -> bool:
    """Whether some tag would reach itself if this name stood for that tag."""
    uses = Dependency.objects.filter(name=name, version__entry__isnull=False)
    asked = uses.values_list("version__tag", "requested")
    users = {user for user, requested in asked if _floats(requested, selector)}
    return bool(_reaching(users, {tag.pk}))


def refuse_cycles(
    requests: Sequence[BodyReference], choices: Mapping[str, SelectedVersion], tag: str
) -> None:
    """Raise `Refused` (CYCLE) where a tag would reach itself.

    What counts are floating references of newest versions.
    """
    floating = [r for r in requests if choices[str(r.reference)].is_floating]
    starts = {choices[str(r.reference)].tag.pk: choices[str(r.reference)].tag for r in floating}
    back = {pk for pk, used in starts.items() if used.text == tag}
    if starts and not back:
        used = Tag.objects.filter(text=tag, names__uses__isnull=False).values_list("pk", flat=True)
        back = _reaching(used[:1], starts)
    refuse_all(
        _fault(request, Code.CYCLE, f"{request.reference} is made from {tag} itself")
        for request in floating
        if choices[str(request.reference)].tag.pk in back
    )


def _reaching(goals: Collection[int], starts: Collection[int]) -> set[int]:
    """Those of some tags from which floating references of newest versions lead to a goal."""
    edges: dict[int, set[int]] = {}
    goals = set(goals)
    ahead = set(starts) if goals else set()
    while ahead:
        edges |= {pk: set() for pk in ahead}
        for use in _floating(Dependency.objects.filter(version__entry__in=ahead)):
            edges[use.source].add(use.tag)
        ahead = {used for pk in ahead for used in edges[pk]} - edges.keys()
    back = {pk for pk in edges if pk in goals}
    while more := {pk for pk, used in edges.items() if used & back} - back:
        back |= more
    return back & set(starts)


def floating_uses(tags: Collection[int]) -> Iterator[FloatingUse]:
    """Floating references to some tags from newest versions. One query."""
    newest = Dependency.objects.filter(name__tag__in=tags, version__entry__isnull=False)
    return _floating(newest)


class FloatingUse(NamedTuple):
    """A floating reference of a version: whose it is, and the tag it stands for today."""

    source: int
    tag: int


def _floating(uses: QuerySet[Dependency]) -> Iterator[FloatingUse]:
    """Those that another version could answer to, by what their names stand for now. One query."""
    possible = uses.filter(Q(is_floating=True) | Q(name__is_alias=True)).select_related("name")
    for use in possible.annotate(source=F("version__tag")):
        if _floats(use.requested, use.name.selector):
            yield FloatingUse(use.source, use.name.tag_id)


def load_published(pks: Collection[int]) -> dict[int, PublishedVersion]:
    """Versions as the pass needs them, by their primary keys. Two queries."""
    lineages: dict[int, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    ancestry = Ancestry.objects.filter(version__in=pks).order_by("version", "position")
    for row in ancestry.select_related("ancestor__tag").only(
        "version_id", "distance", "ancestor__tag__text", *_numbers("ancestor__")
    ):
        lineages[row.version_id][row.distance].append(row.ancestor.exact)
    whole = Version.objects.filter(pk__in=pks).select_related("tag")
    return {
        version.pk: PublishedVersion(
            tag=version.tag.text,
            number=version.number,
            target=json.loads(version.target),
            provenance=json.loads(version.provenance),
            lineage=tuple(tuple(level) for _, level in sorted(lineages[version.pk].items())),
            depth=version.depth,
        )
        for version in whole.only("target", "provenance", "depth", "tag__text", *_numbers(""))
    }


def _numbers(prefix: str) -> list[str]:
    return [f"{prefix}{part}" for part in ("major", "minor", "patch")]


def _floats(requested: str, fixed: Selector) -> bool:
    """Whether a reference floats whose name fixes these versions, if any."""
    selector = fixed if str(fixed) else Reference.parse(requested).selector
    return selector.is_floating
