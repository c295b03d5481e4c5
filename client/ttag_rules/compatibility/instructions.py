"""Whether a processor has the instructions of code."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from ttag_rules.compatibility.driver_defaults import surplus_of
from ttag_rules.compatibility.feature_names import features_text, listing
from ttag_rules.compatibility.options import OTHERS, Compiler, Options
from ttag_rules.compatibility.processors import Pair, Processor
from ttag_rules.compatibility.tables import (
    NO_FEATURES,
    FeatureClass,
    Features,
    InstructionSet,
)
from ttag_rules.compatibility.vector_length import LEAST, length_findings
from ttag_rules.compatibility.verdicts import Answer, Condition, Dimension, Finding

CPU, FEATURES = "mcpu", "mattr"
# A processor without them runs another instruction, whose encoding they extend.
SILENT = frozenset({"lzcnt", "bmi"})
SILENT_NAMES = {"lzcnt": "lzcnt", "bmi": "tzcnt"}
ARM_MODE, THUMB_MODE = "noarm", "thumb-mode"  # code in Thumb heeds that there is nothing else


def instruction_findings(pair: Pair, options: Options) -> Iterator[Finding]:
    """Yield findings about emitted and guarded instructions, and the length of vectors."""
    code, machine = pair.code, pair.machine
    if options.compiler in OTHERS and not code.mcpu:
        text = f"{options.compiler} has a processor of its own where code states none: state mcpu."
        yield pair.finding(Dimension.EMITTED, Answer.UNKNOWN, text, CPU)
        return
    if reason := _unreadable(pair):
        is_same = not code.is_host_dependent and _options(code) == _options(machine)
        answer = Answer.YES if is_same else Answer.UNKNOWN
        text = "The code was compiled for this very processor." if is_same else reason
        yield pair.finding(Dimension.EMITTED, answer, text, CPU)
        return
    comparison = _Comparison.of(pair, options)
    yield from comparison.emitted()
    yield from comparison.guarded()
    yield from length_findings(
        pair, comparison.built_for, comparison.present, is_exact=not comparison.is_floor
    )


def _unreadable(pair: Pair) -> str:
    """Return why the features of both cannot be compared; empty if they can."""
    for side, processor in (("code", pair.code), ("machine", pair.machine)):
        if processor.is_host_dependent:
            return f"The {side} has {processor.mcpu} for a processor, which is any."
        if not processor.instruction_set:
            name = processor.triple.arch or processor.mcpu or "no processor"
            return f"There is no table of the instructions of {name}."
    if pair.code.features() is None:
        return f"LLVM 22 has no processor {pair.code.mcpu}."
    if names := [*_unknown_features(pair.code)]:
        return f"LLVM 22 has no feature {listing(names)}."
    return ""


def _unknown_features(code: Processor) -> Iterator[str]:
    """Yield the features that code asks for, and that LLVM does not have."""
    for text in code.mattr:
        name = text.removeprefix("+")
        is_asked_for = name != text or not text.startswith("-")
        if is_asked_for and code.instruction_set and not code.instruction_set.knows_feature(name):
            yield name


def _options(processor: Processor) -> tuple[str, tuple[str, ...]]:
    return processor.mcpu, processor.mattr


@dataclass(frozen=True, slots=True)
class _Comparison:
    """The features of code and of a machine whose table knows both.

    `surplus` is what the code has beside if clang compiled it; `optional` are features that the
    machine may have or not, of which the code does without those that are `unneeded`.
    """

    pair: Pair
    options: Options
    instructions: InstructionSet
    built_for: Features
    surplus: Features
    present: Features
    optional: Features
    unneeded: Features

    @classmethod
    def of(cls, pair: Pair, options: Options) -> _Comparison:
        instructions, built_for = pair.code.instruction_set, pair.code.features()
        present = pair.machine.features(of_machine=True)
        if instructions is None or built_for is None or present is None:
            raise ValueError("Expected processors with a table.")  # _unreadable has asked
        surplus = surplus_of(pair.code, options.compiler).features
        surplus -= instructions.switched_off(pair.code.mattr) if surplus else NO_FEATURES
        if options.compiler is Compiler.CLANG:
            built_for, surplus = built_for | surplus, NO_FEATURES
        # Decision 163: code for a core runs on what has the same options, whichever those are.
        optional = pair.machine.optional_features
        is_careful = optional and not options.strict
        unneeded = optional & pair.code.optional_features if is_careful else NO_FEATURES
        return cls(pair, options, instructions, built_for, surplus, present, optional, unneeded)

    @property
    def is_floor(self) -> bool:
        """True if the machine may have more than it states."""
        return self.pair.machine.is_floor

    @property
    def denied(self) -> Features:
        """The features that the machine states not to have."""
        return self.instructions.switched_off(self.pair.machine.mattr)

    def emitted(self) -> Iterator[Finding]:
        """Yield whether the machine has what a compiler uses unasked."""
        guarded = {FeatureClass.GUARDED} if self.options.strict else set()
        classes = {FeatureClass.EMITTED} | guarded
        missing = self._missing(self.built_for, classes)
        lacking = missing - self.optional
        if not missing:
            yield self._without_missing(self._missing(self.surplus, classes))
        elif not lacking:
            text = f"It runs if the machine has {self._option(missing)}."
            yield self._conditional(Dimension.EMITTED, text, missing)
        elif self._is_unknown(lacking):
            text = f"{_subject(lacking)}, and the machine states only {self._name}."
            yield self._finding(Dimension.EMITTED, Answer.UNKNOWN, text)
        else:
            yield self._finding(Dimension.EMITTED, Answer.NO, self._reason(lacking))

    def guarded(self) -> Iterator[Finding]:
        """Yield whether the machine has what only intrinsics use."""
        classes = set() if self.options.strict else {FeatureClass.GUARDED}
        missing = self._missing(self.built_for | self.surplus, classes)
        wanted = missing & self.denied & self._asked_for
        if wanted:
            text = f"The code asks for {features_text(wanted)}, which the machine denies."
            yield self.pair.finding(Dimension.GUARDED, Answer.NO, text, FEATURES)
        elif missing:
            text = f"It runs unless it uses {features_text(missing)} without a check."
            if missing <= self.optional:
                text = f"It runs if the machine has {self._option(missing)}, or the code checks."
            yield self._conditional(Dimension.GUARDED, text, missing)
        else:
            text = "The machine has all that intrinsics may use."
            yield self._finding(Dimension.GUARDED, Answer.YES, text)

    def _without_missing(self, surplus: Features) -> Finding:
        """Return the answer where no feature is missing: but for what a machine takes away.

        `surplus` is what it lacks of those that the code has only if clang compiled it.
        """
        profiles = self.instructions.profiles
        built, has = self.built_for & profiles, self.present & profiles
        if built and has and built != has:
            text = f"The code is for the profile {listing(sorted(built))}, the machine is not."
            return self._finding(Dimension.EMITTED, Answer.NO, text)
        taken = (self.present & self.instructions.restrictions) - self.built_for
        if taken and not (taken == {ARM_MODE} and THUMB_MODE in self.built_for):
            text = f"The machine has less than the code assumes: {listing(sorted(taken))}."
            return self._finding(Dimension.EMITTED, Answer.NO, text)
        if surplus:
            uses = f"for this triple it uses {features_text(surplus)} where no processor is stated"
            text = f"It runs unless clang compiled it: {uses}."
            return self._conditional(Dimension.EMITTED, text, surplus)
        text = "The machine has every instruction that a compiler uses unasked."
        return self._finding(Dimension.EMITTED, Answer.YES, text)

    def _missing(self, features: Features, classes: Collection[FeatureClass]) -> Features:
        """Return those of some features that the machine lacks; lengths of vectors are no such."""
        absent = features - self.present - self.instructions.modes - self.unneeded
        return frozenset(
            each
            for each in absent
            if self.instructions.class_of(each) in classes and not LEAST.fullmatch(each)
        )

    def _is_unknown(self, missing: Features) -> bool:
        return self.is_floor and not missing & self.denied

    @property
    def _asked_for(self) -> Features:
        names = (text[1:] for text in self.pair.code.mattr if text.startswith("+"))
        return frozenset().union(*(self.instructions.implied.get(name, {name}) for name in names))

    @property
    def _name(self) -> str:
        mcpu = self.pair.machine.mcpu
        if mcpu and not self.instructions.knows(mcpu):
            return f"{mcpu}, which LLVM 22 does not know"
        return mcpu or f"the baseline of {self.pair.machine.architecture}"

    def _option(self, missing: Features) -> str:
        return f"{features_text(missing)}, which chips of the name {self._name} may lack"

    def _reason(self, missing: Features) -> str:
        text = f"{_subject(missing)}, which {self._name} does not have."
        if silent := missing & SILENT:
            names = listing(sorted(SILENT_NAMES[name] for name in silent))
            text += f" For {names} it computes something else, without a fault."
        return text

    def _conditional(self, dimension: Dimension, reason: str, features: Features) -> Finding:
        conditions = tuple(Condition("feature", name) for name in sorted(features))
        return self.pair.finding(dimension, Answer.CONDITIONAL, reason, CPU, conditions)

    def _finding(self, dimension: Dimension, answer: Answer, reason: str) -> Finding:
        return self.pair.finding(dimension, answer, reason, CPU)


def _subject(features: Collection[str]) -> str:
    return f"The code uses {features_text(features)}"
