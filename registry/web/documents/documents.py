"""The documents that the site shows, in the order of its index.

All others, such as those for operators and developers, stay in the repository.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Document:
    """A Markdown file that the site shows at `/docs/<slug>`."""

    slug: str
    source: str  # path in the repository
    summary: str  # for the index and for search engines
    has_chapters: bool = False  # a page for each section of level 2, for long documents


# Decision 080: the site shows the repository's own documents.
GROUPS: dict[str, tuple[Document, ...]] = {
    "Start": (
        Document(
            "about",
            "docs/about.md",
            "What this registry is for, what you can rely on, and who keeps it.",
        ),
        Document(
            "quick-start",
            "docs/quick-start.md",
            "Find a tag, fetch its target, describe and publish a machine of your own.",
        ),
        Document(
            "concepts",
            "docs/concepts.md",
            "Tags and versions, inheritance, composition, and the way from a name to code.",
        ),
        Document(
            "build-tools",
            "docs/build-tools.md",
            "Commands to paste for curl, Python, TVM, IREE, CMake, clang and GitHub Actions.",
        ),
    ),
    "Reference": (
        Document(
            "api",
            "docs/api.md",
            "Every route with an example, caching, limits, and the codes of errors and lints.",
            has_chapters=True,
        ),
        Document(
            "formats",
            "docs/formats.md",
            "Export to TVM, clang, CMake and IREE, import from TVM, and what each one drops.",
            has_chapters=True,
        ),
        Document(
            "ttag",
            "docs/ttag.md",
            "Every class, function and error of the Python package, with its signature.",
        ),
        Document(
            "compatibility",
            "docs/compatibility.md",
            "Whether code for one target runs on the machine of another, and what a verdict means.",
        ),
        Document(
            "compatibility-matrix",
            "docs/compatibility-matrix.md",
            "The verdicts about all pairs of well-known processors and of NVIDIA's GPUs.",
        ),
        Document(
            "tuning",
            "docs/tuning.md",
            "When tuning records can be used again, and what a version number tells you.",
        ),
        Document(
            "mirrors",
            "docs/mirrors.md",
            "A registry as plain files: writing, serving and reading mirrors, and their layout.",
        ),
        Document(
            "promises",
            "docs/promises.md",
            "What digests, keys and version numbers promise, and what they do not.",
        ),
        Document(
            "discussion",
            "docs/discussion.md",
            "The statements of TVM's discussion about targets, and the test that holds each.",
        ),
        Document(
            "glossary",
            "docs/glossary.md",
            "The terms of this registry, in a few words each.",
        ),
    ),
    "This registry": (
        Document(
            "namespaces",
            "docs/namespaces.md",
            "Who may have a namespace, how to claim or request one, and how staff decides.",
        ),
        Document(
            "news",
            "docs/news.md",
            "What is news for you, and how it reaches you: by mail, in a feed; webhooks.",
        ),
        Document(
            "trusted-publishing",
            "docs/trusted-publishing.md",
            "How CI jobs publish with their identity instead of a stored token.",
        ),
        Document(
            "changes",
            "CHANGELOG.md",
            "The release that runs here, and what has changed.",
        ),
        Document(
            "licence",
            "docs/licence.md",
            "Terms of the code, of the facts, and of what people submit.",
        ),
    ),
}
DOCUMENTS = tuple(document for group in GROUPS.values() for document in group)
