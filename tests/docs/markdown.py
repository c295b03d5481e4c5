"""Markdown parser for the documents: sections, fenced blocks, tables, links, code spans."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted(
    path
    for folder in (ROOT, ROOT / "docs", ROOT / "docs/decisions", ROOT / "registry/catalogue")
    for path in folder.glob("*.md")
)

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
HEADING = re.compile(r"^(#+) (.+)$")
LINK = re.compile(r"\[[^]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`\n]+)`")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block with its language."""

    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with its text, up to the next heading of any level."""

    title: str
    text: str

    @property
    def blocks(self) -> list[Block]:
        return blocks(self.text)

    @property
    def rows(self) -> list[list[str]]:
        """Return the cells of the section's tables, without header rows."""
        return rows(self.text)


def read_document(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(text: str) -> list[Block]:
    return [Block(*groups) for groups in FENCE.findall(text)]


def sections(text: str) -> list[Section]:
    """Return all sections; text before the first heading is ignored."""
    parts: list[tuple[str, list[str]]] = []
    fenced = False
    for line in text.splitlines(keepends=True):
        fenced ^= line.startswith("```")
        heading = None if fenced else HEADING.match(line)
        if heading:
            parts.append((heading[2].replace("`", ""), []))
        elif parts:
            parts[-1][1].append(line)
    return [Section(title, "".join(lines)) for title, lines in parts]


def section(name: str, title: str) -> Section:
    """Return the only section of a document with this heading."""
    (match,) = [section for section in sections(read_document(name)) if section.title == title]
    return match


def rows(text: str) -> list[list[str]]:
    tables = re.findall(r"^\|.+\|\n\|[-|]+\|\n((?:\|.+\|\n)+)", text, re.MULTILINE)
    lines = [line for table in tables for line in table.splitlines()]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def prose(text: str) -> str:
    """Return the text without fenced blocks."""
    return FENCE.sub("", text)


def code_spans(text: str) -> Iterator[str]:
    """Yield the text of all code spans outside fenced blocks."""
    yield from CODE.findall(prose(text))


def links(text: str) -> list[str]:
    return LINK.findall(CODE.sub("", prose(text)))


def anchors(text: str) -> set[str]:
    """Return the anchors of all headings, as code hosts generate them."""
    return {
        re.sub(r"[^\w -]", "", section.title.lower()).replace(" ", "-")
        for section in sections(text)
    }
