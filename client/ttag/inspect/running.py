"""Whether the code in a file runs on a machine, as far as the file tells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ttag.inspect.programs import Form, Inspection, Program
from ttag.judging import Side, judge
from ttag_rules.compatibility.options import FileForm, Options
from ttag_rules.compatibility.verdicts import Answer, severity, worst

SHIPPED = {Form.CUBIN: FileForm.CUBIN, Form.PTX: FileForm.PTX}
AMD = "AMD"  # whose code may be compressed so that it cannot be read
GPU_MAKERS = {Form.CUBIN: "NVIDIA", Form.PTX: "NVIDIA", Form.CODE_OBJECT: AMD}
UNREAD = "Some code could not be read."


@dataclass(frozen=True, slots=True)
class PartVerdict:
    """The answer for some code of a file: a program, or all code for the GPUs of one maker."""

    part: str
    answer: Answer
    reason: str


def part_verdicts(inspection: Inspection, machine: Side, options: Options) -> list[PartVerdict]:
    """Return the answer for each program of a file, and for its device code.

    A no is certain. A program whose file does not tell what it needs is unknown at best. Of code
    for several GPUs, one that runs suffices.
    """
    parts = [*_programs(inspection, machine, options), *_device_code(inspection, machine, options)]
    if not inspection.is_complete:
        parts.append(PartVerdict("other code", Answer.UNKNOWN, UNREAD))
    return parts


def answer_of(parts: Iterable[PartVerdict]) -> Answer:
    """Return the worst answer; unknown if the file has no code."""
    answers = [part.answer for part in parts]
    return worst(answers) if answers else Answer.UNKNOWN


def _programs(inspection: Inspection, machine: Side, options: Options) -> Iterator[PartVerdict]:
    for program in inspection.programs:
        if program.form is not Form.PROGRAM:
            continue
        result = judge(Side(program.body), machine, options)
        if result.answer is Answer.NO or program.is_complete:
            yield PartVerdict(program.place, result.answer, result.reason)
        elif result.answer is Answer.YES:
            reason = f"Nothing in the file says no. Not stated: {program.unstated}."
            yield PartVerdict(program.place, Answer.UNKNOWN, reason)
        else:
            yield PartVerdict(program.place, Answer.UNKNOWN, result.reason)


def _device_code(inspection: Inspection, machine: Side, options: Options) -> Iterator[PartVerdict]:
    """Yield the best answer of the code for each maker's GPUs, in each library."""
    alternatives: dict[tuple[str, str], list[Program]] = defaultdict(list)
    for program in inspection.programs:
        if maker := GPU_MAKERS.get(program.form):
            alternatives[program.place, maker].append(program)
    for (place, maker), programs in alternatives.items():
        answer, reason = _best(programs, machine, options)
        if answer is Answer.NO and maker == AMD and not inspection.is_complete:
            answer, reason = Answer.UNKNOWN, f"{reason} {UNREAD}"
        yield PartVerdict(f"{place}, for {maker}", answer, reason)


def _best(programs: Sequence[Program], machine: Side, options: Options) -> tuple[Answer, str]:
    answers = []
    for program in programs:
        form = SHIPPED.get(program.form)
        ships = frozenset({form}) if form else frozenset()
        asked = Options(ships, options.toolkit, options.driver, options.strict)
        result = judge(Side(program.body), machine, asked)
        answers.append((result.answer, result.reason))
    return min(answers, key=lambda pair: severity(pair[0]))
