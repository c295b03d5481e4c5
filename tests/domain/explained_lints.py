"""The lints of the catalogue that its README explains."""

from tests.docs import markdown


def explained_lints() -> set[tuple[str, str]]:
    """Return the code and the tag of each lint in the README's table."""
    rows = markdown.section("registry/catalogue/README.md", "Lints").rows
    spans = [list(markdown.code_spans(" ".join(row[:2]))) for row in rows]
    return {(code, tag) for code, *tags in spans for tag in tags}
