"""What the registry says to TVM, and comparing what TVM says of it."""

from collections.abc import Callable
from typing import Any

from registry.domain.exporting import Subject
from registry.domain.formats import FORMATS
from tests.domain.builders import KINDS, Library, target_of

DERIVED = "feature."  # what TVM computes from other options begins so


def exported(body: dict[str, Any], library: Library | None = None) -> dict[str, Any]:
    """A body in the format `tvm`. Raises `Refused` as publishing it would."""
    export = FORMATS["tvm"].write(Subject("acme/x@1.0.0", target_of(body, library), KINDS))
    assert isinstance(export.content, dict)
    return export.content


def unnamed(said: Any) -> Any:
    """What TVM says without the name of the tag, which says how a target was asked for."""
    return without(said, lambda key: key == "tag")


def stated(said: Any) -> Any:
    """The same without what TVM derives from the rest."""
    return without(said, lambda key: key == "tag" or key.startswith(DERIVED))


def without(said: Any, is_left_out: Callable[[str], bool]) -> Any:
    """What TVM says without some options, in inner targets as well."""
    match said:
        case dict():
            return {
                key: without(value, is_left_out)
                for key, value in said.items()
                if not is_left_out(key)
            }
        case list():
            return [without(value, is_left_out) for value in said]
    return said


def lost(said: Any, understood: Any) -> list[str]:
    """The values of a target, as paths, that TVM does not have as they were said to it."""
    match said, understood:
        case dict(), dict():
            return [
                f"/{key}{place}"
                for key, value in said.items()
                for place in lost(value, understood.get(key))
            ]
        case [dict(), *_], list() if len(said) == len(understood):
            return [
                f"/{index}{place}"
                for index, pair in enumerate(zip(said, understood, strict=True))
                for place in lost(*pair)
            ]
        case list(), list():
            understood = understood[: len(said)]  # TVM appends to keys
    return [] if said == understood else [""]
