"""An instruction gives the right result exactly where the verdict says yes."""

from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.rules.compatibility.executed.pairs import Target, target
from tests.rules.compatibility.executed.programs import build, is_right
from tests.rules.compatibility.executed.witnesses import MODELS, TABLES, WITNESSES, Witness
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.tables import shipped_tables
from ttag_rules.compatibility.verdicts import Answer

MIN_PAIRS = 2000  # of processors about which executed instructions decide

Results = Mapping[tuple[str, str, str], bool]  # of an architecture, a feature and a model


def needs(witness: Witness) -> Target:
    """Return the target of code that uses the feature of a witness alone."""
    table = shipped_tables().instruction_sets[witness.architecture]
    more = ["+v"] if witness.feature.startswith("zvl") else []
    return target(witness.architecture, table.baseline, *more, f"+{witness.feature}")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """Execute each instruction on each model of its architecture."""
    folder = tmp_path_factory.mktemp("witnesses")
    places = [(each, model) for each in WITNESSES for model in MODELS[each.architecture]]
    for witness in WITNESSES:
        build(
            witness.architecture, witness.text, folder / f"{witness.architecture}-{witness.feature}"
        )

    def execute(place: tuple[Witness, str]) -> bool:
        witness, model = place
        program = folder / f"{witness.architecture}-{witness.feature}"
        return is_right(witness.architecture, model, program)

    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(execute, places))
    return {
        (witness.architecture, witness.feature, model): right
        for (witness, model), right in zip(places, outcomes, strict=True)
    }


@pytest.mark.parametrize(
    "witness", WITNESSES, ids=lambda each: f"{each.architecture}-{each.feature}"
)
def test_an_instruction_is_right_exactly_where_the_verdict_is_yes(
    witness: Witness, results: Results
) -> None:
    architecture = witness.architecture
    for model, mcpu in MODELS[architecture].items():
        result = verdict(needs(witness), target(architecture, mcpu))
        right = results[architecture, witness.feature, model]
        assert result.answer is not (Answer.NO if right else Answer.YES), (model, result.reason)


def pairs(architecture: str) -> Iterator[tuple[str, str, str]]:
    """Yield each processor of LLVM's table with each model, and what LLVM calls that."""
    table = shipped_tables().instruction_sets[architecture]
    for code in sorted(table.processors):
        for model, mcpu in MODELS[architecture].items():
            yield code, model, mcpu


def test_code_for_any_processor_is_right_where_the_verdict_is_yes(results: Results) -> None:
    answers = Counter[Answer]()
    for architecture, witnesses in TABLES.items():
        table = shipped_tables().instruction_sets[architecture]
        for code, model, mcpu in pairs(architecture):
            uses = witnesses.keys() & table.closure(code)
            missing = uses - table.closure(mcpu) - table.guarded
            answer = verdict(target(architecture, code), target(architecture, mcpu)).answer
            wrong = {name for name in uses if not results[architecture, name, model]}
            if answer is Answer.YES and uses:
                assert not wrong, (code, model)
                answers[answer] += 1
            elif answer is Answer.NO and missing:
                assert wrong, (code, model)
                answers[answer] += 1
    assert answers.total() > MIN_PAIRS, answers
    assert min(answers[Answer.YES], answers[Answer.NO]) > MIN_PAIRS / 4
