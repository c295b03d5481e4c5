"""Searching and looking at what a registry has."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from ttag.errors import Unreachable
from ttag.references import Reference
from ttag.registry.connection import Connection, Parameters
from ttag.resolution import Resolution
from ttag.responses.changes import Difference, Explanation
from ttag.responses.description import Description
from ttag.responses.identification import Identification
from ttag.responses.tags import (
    MissingProduct,
    OtherMachine,
    Query,
    SearchResults,
    TagDetails,
    TagSummary,
    VersionSummary,
)
from ttag.responses.values import members, read, text
from ttag.responses.verdicts import Fault
from ttag_rules.selectors import NEWEST

MAX_PAGE = 100  # rows of a list in one response


class Browsing(Connection):
    """The methods of a registry that read lists and descriptions. They use no cache.

    All raise `Refused` or `Unreachable`, and `ReferenceInvalid` before anything is sent.
    """

    def search(self, query: Query | str, *, limit: int = 20) -> SearchResults:
        """Return the tags that match best, at most `limit`."""
        query = Query(query) if isinstance(query, str) else query
        parameters = [*query.parameters(), ("limit", str(min(limit, MAX_PAGE)))]
        first, pages = self._pages("/tags", parameters)
        return read(
            lambda page: SearchResults(
                tuple(map(TagSummary.from_json, islice(pages, limit))),
                int(page["total"]),
                bool(page["capped"]),
                tuple(map(str, page["suggestions"])),
                tuple(map(str, page["ignored"])),
                text(page.get("beginning")),
                tuple(members(MissingProduct, each) for each in page.get("missing") or ()),
                tuple(members(OtherMachine, each) for each in page.get("nearest") or ()),
            ),
            first,
            self.source,
            "a list of tags",
        )

    def tag(self, name: str) -> TagDetails:
        """Return what a tag is, by its name or an alias."""
        answer = self.get(f"/tags/{Reference.parse(name).name}")
        return read(TagDetails.from_json, answer, self.source, "a tag")

    def describe(self, reference: str) -> Description:
        """Return what a reference is: its tag, the target, and what is doubtful about it.

        Raises `Tampered` if the target does not have its digest.
        """
        details = self.tag(reference)
        if details.newest is None and Reference.parse(reference).selector == NEWEST:
            return Description(details, None, ())
        answer = self.get(f"/resolve/{reference}")
        resolution = Resolution.from_json(answer, self.source, Reference.parse(reference))
        lints = read(
            lambda rows: tuple(map(Fault.from_json, rows)),
            answer["lints"],
            self.source,
            "a list of lints",
        )
        return Description(details, resolution, lints)

    def identify(self, text: str) -> Identification:
        """Return what a text describes, such as the output of a tool. It is not stored."""
        answer = self.post("/identify", {"text": text}, write=False)
        return read(Identification.from_json, answer, self.source, "an identification")

    def versions(self, name: str) -> tuple[VersionSummary, ...]:
        """Return all versions of a tag, the highest number first."""
        _, rows = self._pages(f"/versions/{Reference.parse(name).name}", ())
        return read(
            lambda rows: tuple(map(VersionSummary.from_json, rows)),
            rows,
            self.source,
            "a list of versions",
        )

    def diff(self, old: str, new: str) -> Difference:
        """Return the differences of two references, and their effect for users of the old one."""
        answer = self.get(f"/diff/{Reference.parse(old)}...{Reference.parse(new)}")
        return read(Difference.from_json, answer, self.source, "a comparison")

    def explain(self, reference: str) -> Explanation:
        """Return each value of a target with the version that set it."""
        answer = self.get(f"/explain/{Reference.parse(reference)}")
        return read(Explanation.from_json, answer, self.source, "an explanation")

    def results(self, path: str, parameters: Parameters | None = None) -> Iterator[dict[str, Any]]:
        """Yield the results of a list below /api/v1, such as `/tags`, from all of its pages."""
        _, rows = self._pages(path, parameters or ())
        try:
            yield from rows
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise Unreachable(f"{self.source} sent something that is not a list.") from error

    def _pages(self, path: str, parameters: Parameters) -> tuple[Any, Iterator[Any]]:
        """Return the first page of a list, and the rows of all pages, requested as needed."""
        first = self.get(path, parameters)
        return first, self._rows(path, first)

    def _rows(self, path: str, page: Any) -> Iterator[Any]:
        followed = set()
        while True:
            yield from page["results"]
            following = page["next"]
            if not following:
                return
            if following in followed:
                raise Unreachable(f"{self.source} sent a list that leads back to itself.")
            followed.add(following)
            # Only the query is taken, so that a list cannot lead to another host.
            page = self.get(path, parse_qsl(urlsplit(following).query))
