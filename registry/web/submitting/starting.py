"""Where a profile begins: from a kind, from a parent, from pasted text, or from what there is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.acts.refusals import sentence
from registry.domain import guided
from registry.domain.errors import Code, Fault, Refused, at, refuse_all
from registry.domain.importers import IMPORTERS
from registry.domain.places import places
from registry.services import kinds
from registry.services.reading import beginnings
from registry.services.reading.beginnings import Beginning
from registry.web import errors
from registry.web.submitting import bodies, pasting
from registry.web.submitting.steps import FILL, listed
from registry.web.submitting.told import Told, of_whole
from registry.web.submitting.typed import BY_JSON, Typed

TEMPLATE = "registry/submitting/start.html"
KIND, PARENT, TEXT = "kind", "parent", "text"
FIELDS = {"/tag": "Tag", "/kind": "Kind", "/parent": "Parents", "/source": "Pasted text"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked to begin with."""

    tag: str = ""
    how: str = KIND
    kind: str = ""
    parent: str = ""
    format: str = pasting.GUESS
    source: str = ""

    @classmethod
    def read(cls, sent: Mapping[str, str]) -> Asked:
        """What an address or the form of this step says."""
        how = sent.get("how") or (PARENT if sent.get("parent") else KIND)
        return cls(
            tag=sent.get("tag", "").strip(),
            how=how if how in (KIND, PARENT, TEXT) else KIND,
            kind=sent.get("kind", "").strip(),
            parent=sent.get("parent", "").strip(),
            format=sent.get("format", pasting.GUESS),
            source=sent.get("source", "").replace("\r\n", "\n"),
        )


@dataclass(frozen=True, slots=True)
class Begun:
    """A form that was begun, and what to know of how."""

    typed: Typed
    notes: Sequence[str] = ()


def begin(asked: Asked) -> Begun:
    """The form that somebody asked for. Raises `Refused`, its faults at the fields of this step."""
    found = known(asked)
    typed = Typed.read({"tag": found.tag, "base": found.base})
    if asked.how == TEXT:
        return _pasted(asked, typed)
    if found.exact:
        return of_tag(found)
    current = kinds.current().kinds
    if asked.how == PARENT:
        parents = asked.parent.replace(",", " ").split()
        if not parents:
            refuse_all([_missing("/parent", "a parent", "a tag such as arm/soc@1")])
        start = guided.start_of_parents(current, beginnings.kind_of(parents[0]))
        texts = {"/tag": "\n".join(parents)}
    else:
        start, texts = guided.start_of_kind(current, asked.kind), {}
    return Begun(replace(typed, role=str(start.role), of=start.kind, texts=texts))


def known(asked: Asked) -> Beginning:
    """What there is of the tag already. Raises `Refused`, at the tag's field."""
    with at("/tag"):
        return beginnings.of_tag(Typed(tag=asked.tag).name)


def of_tag(found: Beginning) -> Begun:
    """The newest body of a tag, to be changed."""
    typed = Typed.read({"tag": found.tag, "base": found.base})
    note = f"{found.tag} exists: this begins with the body of {found.exact}, its newest."
    return Begun(bodies.written(typed, found.source), [note])


def of_proposal(number: int, found: Beginning) -> Begun:
    """The newest revision of a proposal, to be revised."""
    typed = Typed.read(
        {
            "tag": found.tag,
            "base": found.base,
            "message": found.message,
            "sources": "\n".join(found.sources),
            "proposal": str(number),
            "seen": str(found.revision),
        }
    )
    note = f"This begins with revision {found.revision} of proposal {number}, its newest."
    return Begun(bodies.written(typed, found.source), [note])


def _pasted(asked: Asked, typed: Typed) -> Begun:
    if not asked.source.strip():
        refuse_all([_missing("/source", "a text", "a target, as TVM or the registry writes it")])
    found = pasting.read(asked.source, asked.format, typed.name)
    if found.body is None:
        begun = replace(typed, face=BY_JSON, body=asked.source)
        try:
            return Begun(bodies.by_fields(begun), found.notes)
        except Refused:  # it says at which line, once it is checked
            return Begun(begun, found.notes)
    return Begun(bodies.written(typed, found.body), found.notes)


def shown(request: HttpRequest, asked: Asked, refusal: Refused | None = None) -> HttpResponse:
    """The step's page, with what is wrong with what was asked."""
    context: dict[str, Any] = {
        "asked": asked,
        "section": "submit",
        "steps": listed(FILL),
        "kinds": sorted(kinds.current().kinds.targets),
        "formats": [(name, found.summary) for name, found in IMPORTERS.items()],
        "own_format": pasting.OWN,
        "problems": _problems(refusal, asked) if refusal else (),
    }
    if refusal is None:
        return render(request, TEMPLATE, context)
    return errors.refused(request, refusal, template=TEMPLATE, **context)


def _problems(refusal: Refused, asked: Asked) -> list[Told]:
    """Each fault at its field; of a pasted text at its line."""
    found = []
    for fault in refusal.faults:
        field, _, rest = fault.pointer[1:].partition("/")
        if f"/{field}" not in FIELDS:
            found.append(Told(sentence(fault)))
            continue
        label = FIELDS[f"/{field}"]
        place = fault.place
        if rest:
            place = places(asked.source, [f"/{rest}"])[f"/{rest}"]
        if place:
            label += f", line {place.line}, column {place.column}"
        found.append(Told(sentence(fault), f"#{field}", label))
    return found or [of_whole(refusal)]


def _missing(pointer: str, what: str, expected: str) -> Fault:
    return Fault(pointer, Code.REQUEST_INVALID, f"{what} is missing", expected)
