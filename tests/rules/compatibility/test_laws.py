"""Laws of the relation, over all processors that LLVM knows."""

from typing import Any

from hypothesis import assume, given, strategies as st

from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.tables import shipped_tables
from ttag_rules.compatibility.verdicts import Answer

TRIPLES = {
    "aarch64": "aarch64-unknown-linux-gnu",
    "arm": "armv7-unknown-linux-gnueabihf",
    "powerpc64le": "powerpc64le-unknown-linux-gnu",
    "riscv64": "riscv64-unknown-linux-gnu",
    "s390x": "s390x-unknown-linux-gnu",
    "x86_64": "x86_64-unknown-linux-gnu",
}
GPUS = st.sampled_from(
    [f"sm_{number}" for number in (53, 60, 70, 72, 75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121)]
    + ["sm_90a", "sm_100a", "sm_100f", "sm_120a", "sm_120f"]
)

Leaf = dict[str, Any]


def leaf(architecture: str, mcpu: str, mattr: list[str]) -> Leaf:
    # A convention that does not follow from features, which would be another comparison.
    options = {"mabi": "lp64d"} if architecture == "riscv64" else {}
    triple = TRIPLES[architecture]
    return {"kind": "llvm", "mtriple": triple, "mcpu": mcpu, "mattr": mattr, **options}


@st.composite
def leaves(draw: st.DrawFn, architecture: str, *, whole: bool = False) -> Leaf:
    """Processors with some features on or off; with `whole`, no levels, and none switched off."""
    table = shipped_tables().instruction_sets[architecture]
    names = [name for name in table.processors if not (whole and table.is_level(name))]
    features = st.sampled_from(sorted(table.implied))
    signs = "+" if whole else "+-"
    mattr = st.lists(st.tuples(st.sampled_from(signs), features), max_size=3)
    texts = ["".join(pair) for pair in draw(mattr)]
    return leaf(architecture, draw(st.sampled_from(sorted(names))), texts)


architectures = st.sampled_from(sorted(TRIPLES))
any_leaf = architectures.flatmap(leaves)
pairs = architectures.flatmap(lambda name: st.tuples(leaves(name), leaves(name)))
whole_triples = architectures.flatmap(
    lambda name: st.tuples(leaves(name), leaves(name, whole=True), leaves(name, whole=True))
)


def has_restrictions(target: Leaf) -> bool:
    architecture = next(name for name, triple in TRIPLES.items() if triple == target["mtriple"])
    table = shipped_tables().instruction_sets[architecture]
    return bool(table.closure(target["mcpu"], target["mattr"]) & table.restrictions)


def is_certain(target: Leaf) -> bool:
    """Without a processor's name, Arm's compilers assume what machines may lack."""
    return not (target["mtriple"] == TRIPLES["arm"] and target["mcpu"] == "generic")


@given(any_leaf.filter(is_certain))
def test_a_target_runs_on_itself(target: Leaf) -> None:
    assert verdict(target, target).answer is Answer.YES


@given(whole_triples)
def test_a_machine_with_every_capability_of_another_runs_what_it_runs(
    triple: tuple[Leaf, Leaf, Leaf],
) -> None:
    code, machine, larger = triple
    architecture = next(name for name, each in TRIPLES.items() if each == code["mtriple"])
    table = shipped_tables().instruction_sets[architecture]
    features = table.closure(machine["mcpu"], machine["mattr"])
    added = [f"+{name}" for name in sorted(features)]
    more = {**larger, "mattr": [*larger["mattr"], *added]}
    assume(not has_restrictions(more) and not has_restrictions(machine))
    present = table.closure(more["mcpu"], more["mattr"])
    assume((present & table.profiles) == (features & table.profiles))
    if verdict(code, machine).answer is Answer.YES:
        assert verdict(code, more).answer is Answer.YES


@given(pairs, st.data())
def test_a_feature_that_is_added_to_a_target_never_makes_it_run(
    pair: tuple[Leaf, Leaf], data: st.DataObject
) -> None:
    code, machine = pair
    architecture = next(name for name, each in TRIPLES.items() if each == code["mtriple"])
    table = shipped_tables().instruction_sets[architecture]
    monotone = sorted(set(table.implied) - table.modes)
    feature = data.draw(st.sampled_from(monotone))
    assume(not table.implied[feature] & (table.modes | {"thumb-mode"}))
    more = {**code, "mattr": [*code["mattr"], f"+{feature}"]}
    if verdict(code, machine).answer is Answer.NO:
        assert verdict(more, machine).answer is Answer.NO


@given(pairs, st.data())
def test_a_feature_that_is_added_to_a_machine_keeps_yes(
    pair: tuple[Leaf, Leaf], data: st.DataObject
) -> None:
    code, machine = pair
    architecture = next(name for name, each in TRIPLES.items() if each == code["mtriple"])
    table = shipped_tables().instruction_sets[architecture]
    exclusive = table.modes | {"soft-float"}
    monotone = sorted(name for name, implied in table.implied.items() if not implied & exclusive)
    more = {**machine, "mattr": [*machine["mattr"], f"+{data.draw(st.sampled_from(monotone))}"]}
    if verdict(code, machine).answer is Answer.YES:
        assert verdict(code, more).answer is Answer.YES


@given(pairs)
def test_an_answer_that_is_not_yes_has_a_reason(pair: tuple[Leaf, Leaf]) -> None:
    result = verdict(*pair)
    assert result.reason.endswith(".")
    if result.answer is Answer.CONDITIONAL:
        assert result.conditions


@given(st.tuples(GPUS, GPUS))
def test_code_for_one_gpu_alone_runs_there_alone(pair: tuple[str, str]) -> None:
    code, machine = pair
    answer = verdict({"kind": "cuda", "arch": code}, {"kind": "cuda", "arch": machine}).answer
    if code.endswith("a"):
        is_same = code[:-1] == machine.rstrip("af")
        assert answer is (Answer.YES if is_same else Answer.NO)
    if int(code[3:].rstrip("af")) > int(machine[3:].rstrip("af")):
        assert answer is Answer.NO


@given(st.tuples(GPUS, GPUS))
def test_ptx_runs_upward(pair: tuple[str, str]) -> None:
    code, machine = pair
    assume(not code.endswith(("a", "f")))
    answer = verdict({"kind": "nvptx", "mcpu": code}, {"kind": "cuda", "arch": machine}).answer
    is_upward = int(code[3:]) <= int(machine[3:].rstrip("af"))
    assert answer is (Answer.YES if is_upward else Answer.NO)
