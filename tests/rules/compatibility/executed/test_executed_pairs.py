"""Code of several features gives right results on a machine exactly where the verdict is yes."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.profiles import is_thorough
from tests.rules.compatibility.executed.pairs import Pair, random_pairs
from tests.rules.compatibility.executed.programs import build, is_right
from tests.rules.compatibility.executed.witnesses import WITNESSES, program_text
from ttag_rules.compatibility.verdicts import Answer

SEED = 33
EXECUTED = 5000 if is_thorough() else 40


class Programs:
    """A program for each set of features, which is assembled once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.paths: dict[tuple[str, frozenset[str]], Path] = {}

    def path(self, pair: Pair) -> Path:
        key = (pair.architecture, pair.features)
        if key not in self.paths:
            path = self.folder / f"{pair.architecture}-{len(self.paths)}"
            witnesses = [
                each
                for each in WITNESSES
                if (each.architecture, {each.feature} <= pair.features) == (pair.architecture, True)
            ]
            build(pair.architecture, program_text(pair.architecture, witnesses), path)
            self.paths[key] = path
        return self.paths[key]


def test_code_is_right_exactly_where_the_verdict_says_yes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    left_out: Counter[str] = Counter()
    pairs: list[Pair] = []
    for pair in random_pairs(SEED):
        if len(pairs) == EXECUTED:
            break
        if pair.reason:
            left_out[pair.reason] += 1
        else:
            pairs.append(pair)
    programs = Programs(tmp_path)
    paths = [programs.path(pair) for pair in pairs]
    with ThreadPoolExecutor(2) as pool:
        places = zip(pairs, paths, strict=True)
        results = pool.map(
            lambda place: is_right(place[0].architecture, place[0].model, place[1]), places
        )
        outcomes = [*zip(pairs, results, strict=True)]
    counts = Counter((pair.architecture, pair.answer, right) for pair, right in outcomes)
    wrong = [
        (pair.code, pair.model, pair.answer)
        for pair, right in outcomes
        if right is (pair.answer is Answer.NO)
    ]
    with capsys.disabled():
        print(report(counts, left_out, len(programs.paths)))  # noqa: T201 - figures of a run
    assert not wrong, wrong[:3]
    answers = {pair.answer for pair in pairs}
    assert answers >= {Answer.YES, Answer.NO}


def report(counts: Counter[tuple[str, Answer, bool]], left_out: Counter[str], programs: int) -> str:
    """Return how many pairs were executed, by architecture and answer, and why others were not."""
    lines = [f"\n{counts.total()} pairs executed, {programs} programs"]
    for (architecture, answer, right), number in sorted(counts.items()):
        lines.append(f"  {architecture} {answer}: {number} {'right' if right else 'wrong'}")
    lines += [f"  not executed: {number}, {reason}" for reason, number in left_out.most_common()]
    return "\n".join(lines)
