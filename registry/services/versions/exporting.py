"""Exports resolved targets in the registry's formats."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from registry.domain.errors import Code, Fault, Refused, first_faults
from registry.domain.exporting import Export, Format, Loss, Subject
from registry.domain.formats import FORMATS
from registry.domain.kinds.kinds import Kinds
from registry.domain.resolution.body_references import Relation
from registry.services.core import shipped_facts
from registry.services.core.memory_cache import cache
from registry.services.kinds import kinds
from registry.services.versions import resolving
from registry.services.versions.resolving import ResolvedReference

MAX_EAGER_SIZE = 32 * 1024  # bytes of a target up to which all formats are tried: at most 100 ms


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """An export format, whose text is either stored (`stored`) or generated (`written`).

    The resolution is neither: the API serializes it. `is_closed`: the text depends on the version
    only.
    """

    name: str
    media_type: str
    summary: str
    stored: Callable[[ResolvedReference], str] | None = None
    written: Format | None = None
    is_closed: bool = False

    @property
    def is_json(self) -> bool:
        """Return whether its text is JSON."""
        return self.media_type.endswith("json")

    @property
    def takes_mixins(self) -> bool:
        """Return whether the format can express mixins."""
        return self.written is None

    @property
    def can_record(self) -> bool:
        """Return whether the format can record the reference of each node."""
        return self.written is not None and self.written.can_record


def _written(form: Format) -> ExportFormat:
    return ExportFormat(form.name, form.media_type, form.summary, written=form)


# The first is the default.
EXPORT_FORMATS: Mapping[str, ExportFormat] = {
    form.name: form
    for form in (
        ExportFormat(
            "json", "application/json", "The resolution, with all that the registry knows."
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
    """The options of an export.

    `should_record`: nodes record their references. `is_strict`: dropping values is an error.
    """

    form: ExportFormat
    should_record: bool = False
    is_strict: bool = False

    def __post_init__(self) -> None:
        """Raise `Refused` (FORMAT_UNFIT) if the format cannot record references."""
        if self.should_record and not self.form.can_record:
            names = ", ".join(name for name, form in EXPORT_FORMATS.items() if form.can_record)
            raise Refused(
                Code.FORMAT_UNFIT,
                f"The format {self.form.name} cannot record references; formats that can: {names}.",
            )


@dataclass(frozen=True, slots=True)
class Rendering:
    """The text of a resolution in a format, and the values that the format dropped."""

    text: str
    dropped: tuple[Loss, ...] = ()


def render(answer: ResolvedReference, options: ExportOptions) -> Rendering:
    """Write a resolved reference in a format. At most one query, two if it is refused.

    Raises `Refused` (NOT_A_TARGET, FORMAT_UNFIT, FORMAT_LOSSY).
    """
    (rendering,) = render_all([answer], options)
    if isinstance(rendering, Refused):
        raise _with_formats(rendering, answer)
    return rendering


def _with_formats(refusal: Refused, answer: ResolvedReference) -> Refused:
    """Return the error of a format that does not fit, with the formats that do."""
    if refusal.code is not Code.FORMAT_UNFIT or answer.version.size > MAX_EAGER_SIZE:
        return refusal
    renderings = render_each(answer, EXPORT_FORMATS.values())
    names = [name for name, each in renderings.items() if isinstance(each, Rendering)]
    return Refused(
        refusal.code,
        f"{refusal.detail} Formats that fit: {', '.join(names)}.",
        faults=refusal.faults,
        suggestions=refusal.suggestions,
    )


def render_all(
    answers: Sequence[ResolvedReference | Refused], options: ExportOptions
) -> list[Rendering | Refused]:
    """Write resolved references in a format, in order; errors are passed on or returned.

    At most one query. Raises `Refused` (TOO_LARGE) as soon as the texts exceed the limit of one
    response.
    """
    versions = {answer.version.pk for answer in answers if isinstance(answer, ResolvedReference)}
    by_version = kinds.kinds_of_versions(versions) if options.form.written else {}
    renderings, size = [], 0
    for answer in answers:
        rendering = answer if isinstance(answer, Refused) else _render(answer, options, by_version)
        size += len(rendering.text) if isinstance(rendering, Rendering) else 0
        resolving.refuse_too_large(size)
        renderings.append(rendering)
    return renderings


def render_each(
    answer: ResolvedReference, forms: Iterable[ExportFormat]
) -> dict[str, Rendering | Refused]:
    """Write a resolved reference in several formats; return texts or errors by format name.

    One query. Callers limit the size of the target first (`MAX_EAGER_SIZE`).
    """
    (renderings,) = render_formats([answer], list(forms))
    return renderings


def render_formats(
    answers: Sequence[ResolvedReference], forms: Collection[ExportFormat]
) -> Iterator[dict[str, Rendering | Refused]]:
    """Yield the texts or errors of each resolved reference by format name. One query for all."""
    by_version = kinds.kinds_of_versions({answer.version.pk for answer in answers})
    for answer in answers:
        yield {form.name: _render(answer, ExportOptions(form), by_version) for form in forms}


def _render(
    answer: ResolvedReference, options: ExportOptions, by_version: Mapping[int, Kinds]
) -> Rendering | Refused:
    if options.form.written is None:
        return Rendering(options.form.stored(answer) if options.form.stored else "")
    try:
        export = _export(answer, options, options.form.written, by_version[answer.version.pk])
        _refuse_dropped(export, options)
    except Refused as refusal:
        return refusal
    return Rendering(export.text, export.dropped)


def _export(
    answer: ResolvedReference, options: ExportOptions, form: Format, version_kinds: Kinds
) -> Export:
    """Write a target, the large ones once in each process. Raises `Refused`."""

    def compute() -> Export:
        return form.write(_subject(answer, options, version_kinds))

    if answer.version.size < resolving.MIN_CACHED_SIZE:
        return compute()
    return cache.get_or_compute((form.name, options.should_record, *answer.identity), compute)


def _subject(answer: ResolvedReference, options: ExportOptions, version_kinds: Kinds) -> Subject:
    """Return the input of a format's function."""
    version = answer.version
    if version.is_mixin and not answer.part:
        names = " and ".join(name for name, form in EXPORT_FORMATS.items() if form.takes_mixins)
        detail = f"{answer.exact} is a mixin: it can only be exported as {names}."
        raise Refused(Code.NOT_A_TARGET, detail)
    composed = {
        use["pointer"]: use["resolved"]
        for use in json.loads(version.dependencies)
        if use["relation"] == Relation.COMPOSES
    }
    return Subject(
        exact=answer.exact,
        document=json.loads(version.target),
        kinds=version_kinds,
        part=answer.part,
        composed=composed,
        cpus=shipped_facts.cpus(),
        should_record=options.should_record,
    )


def _refuse_dropped(export: Export, options: ExportOptions) -> None:
    if not (options.is_strict and export.dropped):
        return
    first, others = export.dropped[0], len(export.dropped) - 1
    rest = f" and {others} more" if others else ""
    raise Refused(
        Code.FORMAT_LOSSY,
        f"The format {options.form.name} would drop {first.pointer or 'the root'}{rest}: "
        f"{first.reason}.",
        faults=first_faults(
            [Fault(loss.pointer, Code.FORMAT_LOSSY, loss.reason) for loss in export.dropped],
            Code.FORMAT_LOSSY,
        ),
    )
