"""What the tests read of the project's Markdown: sections, fenced blocks, tables, links, words."""

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
    """A fenced block and its language."""

    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it, up to the next heading of any level."""

    title: str
    text: str

    @property
    def blocks(self) -> list[Block]:
        return blocks(self.text)

    @property
    def rows(self) -> list[list[str]]:
        """The cells of its tables, without their heads."""
        return rows(self.text)


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(text: str) -> list[Block]:
    return [Block(*found) for found in FENCE.findall(text)]


def sections(text: str) -> list[Section]:
    """Every section; what stands before the first heading is left out."""
    found: list[tuple[str, list[str]]] = []
    fenced = False
    for line in text.splitlines(keepends=True):
        fenced ^= line.startswith("```")
        heading = None if fenced else HEADING.match(line)
        if heading:
            found.append((heading[2], []))
        elif found:
            found[-1][1].append(line)
    return [Section(title, "".join(lines)) for title, lines in found]


def section(name: str, title: str) -> Section:
    """The one section of a document with this heading."""
    (found,) = [section for section in sections(read(name)) if section.title == title]
    return found


def rows(text: str) -> list[list[str]]:
    tables = re.findall(r"^\|.+\|\n\|[-|]+\|\n((?:\|.+\|\n)+)", text, re.MULTILINE)
    lines = [line for table in tables for line in table.splitlines()]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def prose(text: str) -> str:
    """The text without its fenced blocks."""
    return FENCE.sub("", text)


def words(text: str) -> Iterator[str]:
    """Everything set in backticks, outside of fenced blocks."""
    yield from CODE.findall(prose(text))


def links(text: str) -> list[str]:
    return LINK.findall(CODE.sub("", prose(text)))


def anchors(text: str) -> set[str]:
    """The fragments under which headings are found, made as code hosts make them."""
    return {
        re.sub(r"[^\w -]", "", section.title.lower()).replace(" ", "-")
        for section in sections(text)
    }
