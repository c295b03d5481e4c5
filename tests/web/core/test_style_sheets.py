"""Style sheets style what pages have: every class of a selector is emitted somewhere."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from django.conf import settings
from pygments.token import STANDARD_TYPES

from registry.domain.proposal_states import ProposalState
from registry.domain.resolution.body_references import Relation
from registry.domain.version_number import Bump
from registry.services.versions.impact import REFUSED
from registry.services.versions.resolving import ACTIVE, DEPRECATED, YANKED
from registry.web.core.json_blocks import HIGHLIGHTED
from registry.web.core.template_filters import SIGNS
from registry.web.search.introduction import TASKS
from registry.web.search.vendor_marks import COLOURS
from registry.web.versions.compare import MAX_TAGS
from ttag_rules.compatibility.verdicts import Answer

ROOT = Path(settings.BASE_DIR)
STYLE_SHEETS = sorted((ROOT / "static" / "registry" / "css").glob("*.css"))
BUMPS = [bump.lower() for bump in (*Bump, REFUSED)]
COMPOSED: dict[str, Iterable[object]] = {  # classes that end in a variable, by their beginning
    "answer-": Answer,
    "bump-": BUMPS,
    "columns-": range(1, MAX_TAGS + 1),
    "icon-": TASKS,
    "impact-bump-": BUMPS,
    "is-": [*SIGNS, "lost", "new", "kept"],
    "line-": Relation,
    "mark-": range(COLOURS),
    "proposal-": ProposalState,
    "relation-": Relation,
    "sign-": SIGNS,
    "status-": [ACTIVE, DEPRECATED, YANKED],
}
EDITOR = re.compile(r"cm-|tok-")  # of CodeMirror, in the bundle
ATTRIBUTE = re.compile(r'\bclass(?:Name)?"? ?[=:] ?"([^"]*)"')  # in HTML, Python or JavaScript
FORMS = {"errorlist"}  # of Django's lists of errors


def classes_of(style_sheet: str) -> set[str]:
    """Return the classes in the selectors of a style sheet."""
    rules = re.sub(r"/\*.*?\*/", "", style_sheet, flags=re.DOTALL)
    selectors = re.findall(r"([^{};]+)\{", rules)
    return {name for selector in selectors for name in re.findall(r"\.([a-z][\w-]*)", selector)}


def emitted_classes() -> set[str]:
    """Return the classes that templates, views and scripts write, and those of pygments."""
    sources = [
        *(ROOT / "templates").rglob("*.html"),
        *(ROOT / "registry").rglob("*.py"),
        *(ROOT / "static/registry/js").glob("*.js"),
        *(ROOT / "editor/src").glob("*.js"),
    ]
    text = re.sub(r"\{%.*?%\}", " ", "\n".join(path.read_text() for path in sources))
    words = {word for attribute in ATTRIBUTE.findall(text) for word in attribute.split()}
    prefixes = {word.partition("{")[0] for word in words if "{" in word} - {""}
    assert prefixes <= COMPOSED.keys()
    composed = {f"{start}{end}" for start in prefixes for end in COMPOSED[start]}
    highlighted = {
        name for token, name in STANDARD_TYPES.items() if any(token in kind for kind in HIGHLIGHTED)
    }
    return words | composed | highlighted | FORMS


EMITTED = emitted_classes()


@pytest.mark.parametrize("path", STYLE_SHEETS, ids=lambda path: path.name)
def test_every_class_of_a_selector_is_emitted(path: Path) -> None:
    classes = classes_of(path.read_text())
    dead = {name for name in classes - EMITTED if not EDITOR.match(name)}
    assert dead == set()


def test_a_class_that_nothing_emits_is_noticed() -> None:
    style = "@layer pages { .name, .gone:hover > a { top: 0; } @media print { .lost { top: 0 } } }"
    assert classes_of(style) - EMITTED == {"gone", "lost"}


def test_styled_classes_of_the_editor_are_in_its_bundle() -> None:
    bundle = (ROOT / "static/registry/js/editor.js").read_text()
    written = set(re.findall(r"(?:cm|tok)-[\w-]+", bundle))
    styled = {name for path in STYLE_SHEETS for name in classes_of(path.read_text())}
    assert {name for name in styled if EDITOR.match(name)} <= written
