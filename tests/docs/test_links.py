"""Links between documents resolve, and every document is reachable."""

from pathlib import Path

import pytest

from tests.docs import markdown
from tests.docs.markdown import DOCUMENTS, ROOT

RECORDS = sorted((ROOT / "docs/decisions").glob("[0-9]*.md"))


def local(path: Path) -> list[tuple[Path, str]]:
    """Return the files that a document links to, with the fragments."""
    targets = []
    for link in markdown.links(path.read_text(encoding="utf-8")):
        if not link.startswith(("https://", "http://")):
            name, _, fragment = link.partition("#")
            targets.append(((path.parent / name).resolve() if name else path, fragment))
    return targets


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_resolve(path: Path) -> None:
    for target, fragment in local(path):
        assert target.exists(), target
        if fragment:
            text = target.read_text(encoding="utf-8")
            assert fragment in markdown.anchors(text), f"{target.name}#{fragment}"


def test_every_document_is_reachable_from_the_readme() -> None:
    seen: set[Path] = set()
    queue = [ROOT / "README.md"]
    while queue:
        path = queue.pop()
        if path not in seen and path.suffix == ".md":
            seen.add(path)
            queue += [target for target, _ in local(path)]
    assert seen >= set(DOCUMENTS)


def test_decisions_are_numbered_without_gaps() -> None:
    assert [int(path.name[:4]) for path in RECORDS] == list(range(1, len(RECORDS) + 1))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_decisions_have_the_same_sections(path: Path) -> None:
    first, *rest = [section.title for section in markdown.sections(path.read_text("utf-8"))]
    assert first.startswith(f"{int(path.name[:4])}. ")
    assert rest == ["Context", "Decision", "Consequences"]
    index = markdown.read_document("docs/decisions/README.md")
    assert f"[{first.partition('. ')[2]}]({path.name})" in index
