"""The pages of all public documents: read together, each rendered when it is first asked for."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path

from django.conf import settings
from django.urls import reverse
from django.utils.safestring import SafeString
from markdown_it.token import Token

from registry.web.documents.documents import DOCUMENTS, Document
from registry.web.documents.markdown import anchors, parse, plain_text
from registry.web.documents.rendering import render

DRAWINGS = "docs/drawings"  # their folder in the repository; among the static files, it is docs/
SIZE = re.compile(r'<svg [^>]*width="(\d+)" height="(\d+)"')
DEEPEST = 3  # level of headings in the table of contents
WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, a term or a code with the text about it, up to the next one."""

    anchor: str
    title: str
    level: int  # of the heading on its page; 0 for a term or a code
    text: str


@dataclass(frozen=True)
class DocumentPage:
    """A document, or a chapter of one, with the tokens of its Markdown."""

    path: str  # below /docs/
    document: Document
    title: str
    sections: tuple[Section, ...]
    tokens: Sequence[Token] = field(repr=False)

    @cached_property
    def html(self) -> SafeString:
        return render(self.tokens)

    @property
    def url(self) -> str:
        return reverse("document", args=[self.path])

    @property
    def contents(self) -> tuple[Section, ...]:
        """Return the headings for the table of contents, without that of the page."""
        return tuple(section for section in self.sections if 1 < section.level <= DEEPEST)

    @property
    def is_chapter(self) -> bool:
        """Return whether the page is a chapter of a longer document."""
        return self.path != self.document.slug


@lru_cache(maxsize=1)
def pages() -> dict[str, DocumentPage]:
    """Return all pages by path, in the order of the index.

    The server calls this before its first request: parsing takes a tenth of a second.
    """
    by_path = {page.path: page for document in DOCUMENTS for page in _pages(document)}
    links = Links(by_path.values())
    for page in by_path.values():
        links.rewrite(page)
    return by_path


def _pages(document: Document) -> Iterator[DocumentPage]:
    """Yield the pages of a document: one, or its introduction and each section of level 2."""
    tokens = parse((settings.BASE_DIR / document.source).read_text(encoding="utf-8"))
    starts = [
        index for index, token in enumerate(tokens) if token.tag == "h2" and token.nesting == 1
    ]
    if not document.has_chapters:
        starts = []
    yield _page(document.slug, document, tokens[: starts[0] if starts else len(tokens)])
    for start, end in pairwise([*starts, len(tokens)]):
        chapter = tokens[start:end]
        for token in chapter:
            if token.type in ("heading_open", "heading_close"):
                token.tag = f"h{int(token.tag[1:]) - 1}"
        yield _page(f"{document.slug}/{chapter[0].attrs['id']}", document, chapter)


def _page(path: str, document: Document, tokens: Sequence[Token]) -> DocumentPage:
    sections = tuple(_sections(tokens))
    return DocumentPage(path, document, sections[0].title, sections, tokens)


class Links:
    """Rewrites links between files of the repository into links between pages of the site."""

    def __init__(self, pages: Iterable[DocumentPage]) -> None:
        self.pages: dict[str, str] = {}
        self.anchors: dict[tuple[str, str], str] = {}
        for page in pages:
            source = page.document.source
            self.pages.setdefault(source, page.path)
            self.anchors |= {(source, anchor): page.path for anchor in anchors(page.tokens)}

    def rewrite(self, page: DocumentPage) -> None:
        """Rewrite the links and images of a page. What the site does not show becomes text."""
        for token in page.tokens:
            hidden: list[bool] = []
            for child in token.children or ():
                if child.type == "link_open":
                    url = self._url(page, str(child.attrs["href"]))
                    hidden.append(url is None)
                    child.attrs["href"] = url or ""
                if child.type in ("link_open", "link_close"):
                    child.hidden = hidden[-1]
                if child.type == "image":
                    child.attrs |= _image(page.document, str(child.attrs["src"]))

    def _url(self, page: DocumentPage, href: str) -> str | None:
        """Return where a link leads, None if not on the site. Raises KeyError for a dead anchor."""
        if "://" in href:
            return href
        name, _, anchor = href.partition("#")
        source = _resolve(page.document, name) if name else page.document.source
        if source not in self.pages:
            return None
        path = self.anchors[source, anchor] if anchor else self.pages[source]
        fragment = f"#{anchor}" if anchor else ""
        is_here = path == page.path and fragment
        return fragment if is_here else reverse("document", args=[path]) + fragment


def _resolve(document: Document, name: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(document.source), name))


def _image(document: Document, name: str) -> dict[str, str | int | float]:
    """Return the path of a drawing among the static files, and its size."""
    source = _resolve(document, name)
    match = SIZE.match((settings.BASE_DIR / source).read_text(encoding="utf-8"))
    if match is None or not source.startswith(DRAWINGS):
        raise ValueError(f"{source} is no drawing with a width and a height in {DRAWINGS}")
    width, height = match.groups()
    return {"src": f"docs/{Path(source).name}", "width": width, "height": height}


def _sections(tokens: Sequence[Token]) -> Iterator[Section]:
    """Yield the sections of a page, first that of its title."""
    starts = [index for index, token in enumerate(tokens) if "id" in token.attrs]
    for start, end in pairwise([*starts, len(tokens)]):
        token = tokens[start]
        title, *texts = [plain_text(other) for other in tokens[start:end] if other.type == "inline"]
        level = int(token.tag[1:]) if token.type == "heading_open" else 0
        if token.type == "paragraph_open":
            title, _, definition = title.partition(":")
            texts.insert(0, definition.strip())
        yield Section(str(token.attrs["id"]), title, level, " ".join(texts))
