"""The versions that a body refers to, loaded for the pass that resolves it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Sum

from registry.domain.errors import Code, Fault, Refused, refuse_all
from registry.domain.merging import MAX_LOADED, Published
from registry.domain.reference import Tag as TagName
from registry.domain.requests import Request
from registry.models import Ancestry, Dependency, Version
from registry.services import choosing
from registry.services.choosing import Choice


@dataclass(frozen=True, slots=True)
class Library:
    """What a body's references stand for at one moment."""

    choices: Mapping[str, Choice]
    versions: Mapping[str, Published]


def load(requests: Sequence[Request], tag: TagName) -> Library:
    """Load what a body's references stand for; `tag` is whose body it is.

    Raises `Refused` with a fault for every reference that is unknown, yanked or leads back to the
    tag (CYCLE), or `TOO_LARGE`. A constant number of queries, unless a tag that others are made
    from is published: then two for each level above it.
    """
    if not requests:
        return Library({}, {})
    choices = chosen(requests)
    _refuse_cycles(requests, choices, str(tag))
    pks = {choice.version.pk for choice in choices.values()}
    size = Version.objects.filter(pk__in=pks).aggregate(sum=Sum("size"))["sum"] or 0
    if size > MAX_LOADED:
        raise Refused(
            Code.TOO_LARGE,
            f"The versions referred to have {size} bytes of targets: at most {MAX_LOADED}.",
        )
    published = _published(pks)
    return Library(
        choices, {text: published[choice.version.pk] for text, choice in choices.items()}
    )


def chosen(requests: Sequence[Request]) -> dict[str, Choice]:
    """The versions that answer, by reference text. Raises `Refused` with a fault for each other."""
    answers = choosing.choose({str(r.reference): r.reference for r in requests}.values())
    faults: list[Fault] = []
    for request in requests:
        answer = answers[str(request.reference)]
        if isinstance(answer, Refused):
            refusal = choosing.explained(answer, request.reference) if len(faults) < 8 else answer
            faults.append(_fault(request, refusal.code, refusal.detail, refusal.suggestions))
        elif answer.version.yanked:
            faults.append(
                _fault(
                    request,
                    Code.PARENT_INVALID,
                    f"{answer.exact} was yanked: {_reason(answer.version)}",
                )
            )
    refuse_all(faults)
    return {text: answer for text, answer in answers.items() if isinstance(answer, Choice)}


def _reason(version: Version) -> str:
    return version.withdrawals.order_by("-sequence").values_list("reason", flat=True)[0]


def _fault(request: Request, code: Code, message: str, suggestions: Sequence[str] = ()) -> Fault:
    expected = "a tag or version that exists and is not yanked"
    return Fault(
        request.pointer, code, message, expected, str(request.reference), tuple(suggestions)
    )


def leads_back(version: Version) -> bool:
    """Whether a tag would reach itself if this version of it were the newest."""
    uses = Dependency.objects.filter(version=version, is_floating=True)
    starts = set(uses.values_list("resolved__tag", flat=True))
    return bool(_reaching(version.tag.text, starts))


def _refuse_cycles(requests: Sequence[Request], choices: Mapping[str, Choice], tag: str) -> None:
    """A tag may not reach itself through floating references of newest versions."""
    floating = [r for r in requests if choices[str(r.reference)].is_floating]
    back = {choices[str(r.reference)].tag.text for r in floating} & {tag}
    if not back and Dependency.objects.filter(resolved__tag__text=tag, is_floating=True).exists():
        back = _reaching(tag, {choices[str(r.reference)].tag.pk for r in floating})
    refuse_all(
        _fault(request, Code.CYCLE, f"{request.reference} is made from {tag} itself")
        for request in floating
        if choices[str(request.reference)].tag.text in back
    )


def _reaching(tag: str, starts: Collection[int]) -> set[str]:
    """Those of some tags from which floating references of newest versions lead to a tag."""
    edges: dict[int, set[int]] = {}
    texts: dict[int, str] = {}
    ahead = set(starts)
    while ahead:
        newest = choosing.newest(ahead)
        texts |= {version.tag_id: version.tag.text for version in newest.values()}
        edges |= {pk: set() for pk in ahead}
        uses = Dependency.objects.filter(version__in=newest.values(), is_floating=True)
        for source, used, text in uses.values_list(
            "version__tag", "resolved__tag", "resolved__tag__text"
        ):
            edges[source].add(used)
            texts[used] = text
        ahead = {used for pk in ahead for used in edges[pk]} - edges.keys()
    back = {pk for pk, text in texts.items() if text == tag}
    while more := {pk for pk, used in edges.items() if used & back} - back:
        back |= more
    return {texts[pk] for pk in back & set(starts)}


def _published(pks: Collection[int]) -> dict[int, Published]:
    """Versions as the pass needs them. Two queries."""
    lineages: dict[int, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    ancestry = Ancestry.objects.filter(version__in=pks).order_by("version", "position")
    for row in ancestry.select_related("ancestor__tag").only(
        "version_id", "distance", "ancestor__tag__text", *_numbers("ancestor__")
    ):
        lineages[row.version_id][row.distance].append(row.ancestor.exact)
    whole = Version.objects.filter(pk__in=pks).select_related("tag")
    return {
        version.pk: Published(
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
