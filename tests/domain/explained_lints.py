"""The lints of the catalogue that its README explains."""

from collections.abc import Iterator
from fnmatch import fnmatchcase

from registry.domain.document import Json
from registry.services.core import shipped_facts
from tests.docs import markdown
from tests.domain import shipped
from ttag_rules.nodes import nodes


def explained_lints() -> set[tuple[str, str]]:
    """Return the code and the tag of each lint in the README's table.

    A name with `*` stands for all tags that it matches, which are not families; `mtriple=` and a
    triple for all tags whose newest version states it.
    """
    rows = markdown.section("registry/catalogue/README.md", "Lints").rows
    spans = [list(markdown.code_spans(" ".join(row[:2]))) for row in rows]
    names = [tag.name for tag in shipped_facts.every_tag() if not tag.is_family]
    return {(code, tag) for code, *tags in spans for name in tags for tag in _matching(name, names)}


def _matching(name: str, names: list[str]) -> list[str]:
    option, _, value = name.partition("=")
    if value:
        return [tag for tag, target in _newest_targets() if _states(target, option, value)]
    return [tag for tag in names if fnmatchcase(tag, name)] if "*" in name else [name]


def _newest_targets() -> Iterator[tuple[str, Json]]:
    for tag, versions in shipped.library().versions.items():
        if not versions[-1].published.is_mixin:
            yield tag, versions[-1].resolution.target


def _states(target: Json, option: str, value: str) -> bool:
    return any(node.value.get(option) == value for node in nodes(target))
