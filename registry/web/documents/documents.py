"""The documents that the site shows, in the order of its index.

All others, such as those for operators and developers, stay in the repository.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Document:
    """A Markdown file that the site shows at `/docs/<slug>`."""

    slug: str
    summary: str  # for the index and for search engines
    has_chapters: bool = False  # a page for each section of level 2, for long documents
    path: str = ""  # in the repository, unless it is docs/<slug>.md

    @property
    def source(self) -> str:
        return self.path or f"docs/{self.slug}.md"


# Decision 080: the site shows the repository's own documents.
GROUPS: dict[str, tuple[Document, ...]] = {
    "Start": (
        Document("about", "What this registry is for, what you can rely on, and who keeps it."),
        Document(
            "quick-start",
            "Find a tag, fetch its target, describe and publish a machine of your own.",
        ),
        Document(
            "concepts",
            "Tags and versions, inheritance, composition, and the way from a name to code.",
        ),
        Document(
            "build-tools",
            "Commands to paste for curl, Python, TVM, IREE, CMake, clang and GitHub Actions.",
        ),
    ),
    "Reference": (
        Document(
            "api",
            "Every route with an example, caching, limits, and the codes of errors and lints.",
            has_chapters=True,
        ),
        Document(
            "formats",
            "Export to TVM, clang, CMake and IREE, import from TVM, and what each one drops.",
            has_chapters=True,
        ),
        Document(
            "ttag", "Every class, function and error of the Python package, with its signature."
        ),
        Document(
            "compatibility",
            "Whether code for one target runs on the machine of another, and what a verdict means.",
        ),
        Document(
            "compatibility-matrix",
            "The verdicts about all pairs of well-known processors and of NVIDIA's GPUs.",
        ),
        Document(
            "tuning", "When tuning records can be used again, and what a version number tells you."
        ),
        Document(
            "mirrors",
            "A registry as plain files: writing, serving and reading mirrors, and their layout.",
        ),
        Document(
            "promises", "What digests, keys and version numbers promise, and what they do not."
        ),
        Document(
            "discussion",
            "The statements of TVM's discussion about targets, and the test that holds each.",
        ),
        Document("glossary", "The terms of this registry, in a few words each."),
    ),
    "This registry": (
        Document(
            "namespaces",
            "Who may have a namespace, how to claim or request one, and how staff decides.",
        ),
        Document(
            "news", "What is news for you, and how it reaches you: by mail, in a feed; webhooks."
        ),
        Document(
            "trusted-publishing",
            "How CI jobs publish with their identity instead of a stored token.",
        ),
        Document(
            "changes", "The release that runs here, and what has changed.", path="CHANGELOG.md"
        ),
        Document("licence", "Terms of the code, of the facts, and of what people submit."),
    ),
}
DOCUMENTS = tuple(document for group in GROUPS.values() for document in group)
