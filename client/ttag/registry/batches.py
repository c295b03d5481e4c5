"""Batches: requests about many references, whose results become cached one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ttag.errors import Refused, TtagError, Unreachable, attempt, errors_in
from ttag.http.transport import refusal_from
from ttag.references import Reference
from ttag.registry.connection import API, resolve_path
from ttag.resolution import ExportOptions
from ttag.responses.exports import response_of

if TYPE_CHECKING:
    from ttag.registry.registry import Registry

MAX_BATCH = 1000  # references in one request

R = TypeVar("R")


@dataclass(frozen=True)
class Batches(Generic[R]):
    """Requests about many references in one format.

    `read` makes an answer of a result, and `ask_alone` asks a registry for one reference, with a
    request of its own. If the registry is away, what the cache has is used, with a warning.
    """

    registry: Registry
    form: str
    options: ExportOptions
    read: Callable[[Any, Reference], R]
    ask_alone: Callable[[Registry, str], R]

    def ask(self, references: Sequence[Reference]) -> list[R | TtagError]:
        """Return an answer or an error for each reference. Raises `Refused` or `Unreachable`."""
        answers: list[R | TtagError] = []
        for start in range(0, len(references), MAX_BATCH):
            batch = references[start : start + MAX_BATCH]
            try:
                results = self._post_halved(batch)
            except Unreachable as error:
                answers += self._find_each_cached(batch, error)
            else:
                answers += map(self._answer, results, batch)
        return answers

    def _find_each_cached(
        self, batch: Sequence[Reference], error: Unreachable
    ) -> list[R | TtagError]:
        """Return what the cache has of a batch, or raise an error if that is not all of it."""
        offline = replace(self.registry, offline=True)
        cached = [attempt(self.ask_alone, offline, str(reference)) for reference in batch]
        if errors_in(cached):
            raise error
        self.registry.warn(f"{error} What is in the cache is used instead.")
        return cached

    def _answer(self, result: Any, reference: Reference) -> R | TtagError:
        if isinstance(result, dict) and {"type", "code", "status"} <= result.keys():  # a problem
            if result["code"] == "TAG_UNKNOWN":
                # Only a request for one reference suggests similar tags.
                return attempt(self.ask_alone, self.registry, str(reference))
            return refusal_from(result)
        answer = attempt(self.read, result, reference)
        if self.registry.cache and not isinstance(answer, TtagError):
            path = resolve_path(reference, self.form, self.options)
            url = f"{self.registry.transport.address}{path}"
            self.registry.cache.store(url, *response_of(result))
        return answer

    def _post_halved(self, references: Sequence[Reference]) -> list[Any]:
        """Return the results for some references, by several requests if one is too large."""
        try:
            return self._post(references)
        except Refused as refusal:
            if refusal.code != "TOO_LARGE" or len(references) == 1:
                raise
        middle = len(references) // 2
        halves = (references[:middle], references[middle:])
        return [result for half in halves for result in self._post_halved(half)]

    def _post(self, references: Sequence[Reference]) -> list[Any]:
        body = {
            "references": [*map(str, references)],
            "format": self.form,
            "strict": self.options.strict,
            "record": self.options.record,
        }
        answer = self.registry.transport.request_json("POST", f"{API}/resolve", body=body)
        results = answer.get("results") if isinstance(answer, dict) else None
        if not isinstance(results, list) or len(results) != len(references):
            raise Unreachable(
                f"The registry {self.registry.address} did not answer each of {len(references)} "
                "references."
            )
        return results
