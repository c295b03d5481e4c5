"""Answers about references that no lock holds: those of mirrors are proven by their logs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ttag.errors import TtagError, attempt
from ttag.proving import Prover
from ttag.references import Reference, whole_of
from ttag.resolution import Export, ExportOptions, Resolution
from ttag.sources import Sources, exporter, resolver
from ttag.texts.parts import part_of


@dataclass(frozen=True)
class UnlockedAnswers:
    """Answers from registries and mirrors, with a warning for an alias."""

    sources: Sources
    prover: Prover

    def resolve_many(self, references: Sequence[str]) -> dict[str, Resolution | TtagError]:
        """Return a resolution or an error for each reference."""
        mirrored, others = self._split(references)
        answers = self.ask_proven(mirrored) | self.sources.ask_for(others, resolver)
        for reference in references:
            _mention_alias(answers[reference], self.sources.warn)
        return answers

    def export_many(
        self, references: Sequence[str], form: str, options: ExportOptions
    ) -> dict[str, Export | TtagError]:
        """Return an export or an error for each reference."""
        mirrored, others = self._split(references)
        exports = self.sources.ask_for(
            others, lambda source, names: source.export_many(names, form, options)
        )
        exports |= self._export_proven(mirrored, form, options)
        for reference in references:
            _mention_alias(exports[reference], self.sources.warn)
        return exports

    def ask_proven(self, asked: Mapping[str, str]) -> dict[str, Resolution | TtagError]:
        """Ask as `Sources.ask_for` does, and have the log of each registry or mirror prove it.

        A log states whole targets: a node is made of the proven one.
        """
        whole = {reference: whole_of(text) for reference, text in asked.items()}
        return {
            reference: attempt(self._prove, reference, asked[reference], answer)
            if isinstance(answer, Resolution)
            else answer
            for reference, answer in self.sources.ask_for(whole, resolver).items()
        }

    def _prove(self, reference: str, asked: str, answer: Resolution) -> Resolution:
        proven = self.prover.prove(self.sources.address_of(reference), answer)
        node = Reference.parse_with_node(asked).node
        return part_of(proven, node) if node else proven

    def _split(self, references: Sequence[str]) -> tuple[dict[str, str], dict[str, str]]:
        """Return the references that are asked of a mirror, and the others, each as its text."""
        mirrored = {name: name for name in references if self.sources.is_mirrored(name)}
        return mirrored, {name: name for name in references if name not in mirrored}

    def _export_proven(
        self, asked: Mapping[str, str], form: str, options: ExportOptions
    ) -> dict[str, Export | TtagError]:
        """Return exports of versions that are proven."""
        exports: dict[str, Export | TtagError] = {}
        resolutions: dict[str, Resolution] = {}
        for reference, answer in self.ask_proven(asked).items():
            if isinstance(answer, TtagError):
                exports[reference] = answer
            else:
                resolutions[reference] = answer
        exact = {reference: resolution.exact for reference, resolution in resolutions.items()}
        ask = exporter(form, resolutions.values(), options)
        for reference, export in self.sources.ask_for(exact, ask).items():
            exports[reference] = (
                replace(export, reference=reference) if isinstance(export, Export) else export
            )
        return exports


def _mention_alias(answer: Resolution | Export | TtagError, warn: Callable[[str], None]) -> None:
    """Warn if an answer is of an alias, which can stand for another tag until it is locked."""
    if not isinstance(answer, TtagError) and answer.is_of_alias:
        warn(
            f"{answer.reference} is an alias, which its registry can point at another tag; now it "
            f"stands for {answer.tag}."
        )
