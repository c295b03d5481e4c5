"""Exports to TVM, and their comparison with what TVM makes of them."""

from collections.abc import Callable
from typing import Any

from registry.domain.exporting import Subject
from registry.domain.formats import FORMATS
from tests.domain.builders import KINDS, Library, target_of
from ttag_rules.compiled_options import compiled_options

DERIVED = "feature."  # the prefix of options that TVM derives from others


def exported(body: dict[str, Any], library: Library | None = None) -> dict[str, Any]:
    """Return a body in the format `tvm`. Raises `Refused` as publishing it would."""
    export = FORMATS["tvm"].write(Subject("acme/x@1.0.0", target_of(body, library), KINDS))
    assert isinstance(export.content, dict)
    return export.content


def without_tag(document: Any) -> Any:
    """Return TVM's output without tags, which depend on how a target was requested."""
    return without(document, lambda key: key == "tag")


def without_derived(document: Any) -> Any:
    """Return TVM's output without tags and derived options."""
    return without(document, lambda key: key == "tag" or key.startswith(DERIVED))


def as_llvm_reads(document: Any) -> Any:
    """Return TVM's output with triples in the normal form, and the float ABI that they imply."""
    match document:
        case dict():
            return compiled_options({key: as_llvm_reads(each) for key, each in document.items()})
        case list():
            return [as_llvm_reads(each) for each in document]
    return document


def without(document: Any, is_left_out: Callable[[str], bool]) -> Any:
    """Return a document without some keys, at any depth."""
    match document:
        case dict():
            return {
                key: without(value, is_left_out)
                for key, value in document.items()
                if not is_left_out(key)
            }
        case list():
            return [without(value, is_left_out) for value in document]
    return document


def lost(document: Any, understood: Any) -> list[str]:
    """Return the paths of a target's values that TVM lost or changed."""
    match document, understood:
        case dict(), dict():
            return [
                f"/{key}{place}"
                for key, value in document.items()
                for place in lost(value, understood.get(key))
            ]
        case [dict(), *_], list() if len(document) == len(understood):
            return [
                f"/{index}{place}"
                for index, pair in enumerate(zip(document, understood, strict=True))
                for place in lost(*pair)
            ]
        case list(), list():
            understood = understood[: len(document)]  # TVM appends to keys
    return [] if document == understood else [""]
