"""The lints of the catalogue that its README explains."""

from fnmatch import fnmatchcase

from registry.services.core import shipped_facts
from tests.docs import markdown


def explained_lints() -> set[tuple[str, str]]:
    """Return the code and the tag of each lint in the README's table.

    A name with `*` stands for all tags that it matches, which are not families.
    """
    rows = markdown.section("registry/catalogue/README.md", "Lints").rows
    spans = [list(markdown.code_spans(" ".join(row[:2]))) for row in rows]
    names = [tag.name for tag in shipped_facts.every_tag() if not tag.is_family]
    return {(code, tag) for code, *tags in spans for name in tags for tag in _matching(name, names)}


def _matching(name: str, names: list[str]) -> list[str]:
    return [tag for tag in names if fnmatchcase(tag, name)] if "*" in name else [name]
