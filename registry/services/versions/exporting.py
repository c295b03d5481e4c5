"""Handing out resolved targets in one of the registry's formats."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from registry.domain.body_references import Relation
from registry.domain.errors import MAX_FAULTS, Code, Fault, Refused
from registry.domain.exporting import Export, Format, Loss, Subject
from registry.domain.formats import FORMATS
from registry.domain.kinds import Kinds
from registry.services.core import shipped_facts
from registry.services.kinds import kinds
from registry.services.versions import resolving
from registry.services.versions.resolving import ResolvedReference

MAX_EAGER_SIZE = 32 * 1024  # bytes of a target that is worth writing in all formats: at most 100 ms


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A format as it is handed out: stored text (`stored`), or what its function writes.

    The resolution is neither: the API writes it (`ResolutionSerializer`).

    `is_closed`: nothing but the version itself can change what it says.
    """

    name: str
    media_type: str
    summary: str
    stored: Callable[[ResolvedReference], str] | None = None
    written: Format | None = None
    is_closed: bool = False

    @property
    def is_json(self) -> bool:
        """Whether it can stand in another JSON document as it is."""
        return self.media_type.endswith("json")

    @property
    def takes_mixins(self) -> bool:
        """Whether it needs no whole target."""
        return self.written is None

    @property
    def can_record(self) -> bool:
        """Whether nodes can say in it where they come from."""
        return self.written is not None and self.written.can_record


def _written(found: Format) -> ExportFormat:
    return ExportFormat(found.name, found.media_type, found.summary, written=found)


# The two that hand out text as it is stored come first; the first answers who does not choose.
EXPORT_FORMATS: Mapping[str, ExportFormat] = {
    form.name: form
    for form in (
        ExportFormat(
            "json",
            "application/json",
            "The resolution, with all that the registry knows.",
        ),
        ExportFormat(
            "target",
            "application/vnd.target-tag-registry.target+json",
            "Exactly the digested bytes.",
            stored=lambda answer: answer.target,
            is_closed=True,
        ),
        *map(_written, FORMATS.values()),
    )
}


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """How a target is to be handed out.

    `is_recorded`: nodes say where they come from. `is_strict`: nothing may be left out.
    """

    form: ExportFormat
    is_recorded: bool = False
    is_strict: bool = False

    def __post_init__(self) -> None:
        """Raise `Refused` (FORMAT_UNFIT) for what the format cannot do."""
        if self.is_recorded and not self.form.can_record:
            able = ", ".join(name for name, form in EXPORT_FORMATS.items() if form.can_record)
            raise Refused(
                Code.FORMAT_UNFIT,
                f"The format {self.form.name} has no place to record references in. "
                f"One that has: {able}.",
            )


@dataclass(frozen=True, slots=True)
class Rendering:
    """An answer in a format, and what the format had to leave out."""

    text: str
    dropped: tuple[Loss, ...] = ()


def render(answer: ResolvedReference, wish: ExportOptions) -> Rendering:
    """Write an answer in a format. No query for stored text, else one.

    Raises `Refused`: NOT_A_TARGET, FORMAT_UNFIT or FORMAT_LOSSY.
    """
    (found,) = render_all([answer], wish)
    if isinstance(found, Refused):
        raise found
    return found


def render_all(
    answers: Sequence[ResolvedReference | Refused], wish: ExportOptions
) -> list[Rendering | Refused]:
    """Write many answers in a format; what cannot be written says why. Queries as `render`.

    Raises `Refused` (TOO_LARGE) as soon as all of them together pass the limit of one answer.
    """
    versions = {each.version.pk for each in answers if isinstance(each, ResolvedReference)}
    known = kinds.kinds_of_versions(versions) if wish.form.written else {}
    found, size = [], 0
    for each in answers:
        rendering = each if isinstance(each, Refused) else _rendered(each, wish, known)
        size += len(rendering.text) if isinstance(rendering, Rendering) else 0
        resolving.refuse_too_large(size)
        found.append(rendering)
    return found


def render_each(
    answer: ResolvedReference, forms: Iterable[ExportFormat]
) -> dict[str, Rendering | Refused]:
    """Write one answer in several formats, by their names; what cannot be written says why.

    One query. This takes as long as all of them do: who asks bounds the target first
    (`MAX_TRIED`).
    """
    known = kinds.kinds_of_versions({answer.version.pk})
    return {form.name: _rendered(answer, ExportOptions(form), known) for form in forms}


def _rendered(
    answer: ResolvedReference, wish: ExportOptions, known: Mapping[int, Kinds]
) -> Rendering | Refused:
    if wish.form.written is None:
        return Rendering(wish.form.stored(answer) if wish.form.stored else "")
    try:
        export = wish.form.written.write(_subject(answer, wish, known[answer.version.pk]))
        _refuse_loss(export, wish)
    except Refused as refusal:
        return refusal
    return Rendering(export.text, export.dropped)


def _subject(answer: ResolvedReference, wish: ExportOptions, known: Kinds) -> Subject:
    """What a format's function may need to know."""
    version = answer.version
    if version.is_mixin and not answer.part:
        able = " and ".join(name for name, form in EXPORT_FORMATS.items() if form.takes_mixins)
        raise Refused(Code.NOT_A_TARGET, f"{answer.exact} is a mixin: it resolves as {able} only.")
    composed = {
        use["pointer"]: use["resolved"]
        for use in json.loads(version.dependencies)
        if use["relation"] == Relation.COMPOSES
    }
    return Subject(
        exact=answer.exact,
        whole=json.loads(version.target),
        kinds=known,
        part=answer.part,
        composed=composed,
        cpus=shipped_facts.cpus(),
        is_recorded=wish.is_recorded,
    )


def _refuse_loss(export: Export, wish: ExportOptions) -> None:
    if not (wish.is_strict and export.dropped):
        return
    first, others = export.dropped[0], len(export.dropped) - 1
    more = f" and {others} more" if others else ""
    raise Refused(
        Code.FORMAT_LOSSY,
        f"The format {wish.form.name} would lose {first.pointer or 'the root'}{more}: "
        f"{first.reason}.",
        faults=[
            Fault(loss.pointer, Code.FORMAT_LOSSY, loss.reason)
            for loss in export.dropped[:MAX_FAULTS]
        ],
    )
