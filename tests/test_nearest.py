import pytest

from tests.nearest import IMPORTING, NAMED, RELATED, ROOT, groups, ranks
from tests.slow_files import SLOWEST


@pytest.mark.parametrize(
    ("source", "test"),
    [
        ("registry/services/versions/yanking.py", "tests/services/versions/test_yanking.py"),
        ("client/ttag_rules/pointer.py", "tests/rules/test_pointer.py"),
        ("client/ttag/cli/check.py", "tests/client/test_check.py"),
        ("templates/web/tags/tag.html", "tests/web/tags/test_tag.py"),
        ("registry/domain/event_log/merkle.py", "tests/domain/event_log/test_merkle.py"),
    ],
)
def test_test_named_after_a_file_is_closest(source: str, test: str) -> None:
    assert ranks(source)[test] == NAMED
    assert test in groups(ranks(source))[0]


def test_changed_test_is_closest_to_itself() -> None:
    path = "tests/domain/test_reference.py"
    assert groups(ranks(path))[0] == [path]


def test_importers_follow_by_their_distance() -> None:
    distances = ranks("registry/domain/closed_nodes.py")
    assert distances["tests/domain/test_closed_nodes.py"] == NAMED
    assert distances["tests/domain/test_proofs.py"] == 2 * IMPORTING
    assert distances["tests/client/texts/test_parts.py"] == IMPORTING + 1, "of another layer"


def test_folder_of_the_same_name_is_related() -> None:
    """Views call the service; no test of theirs imports it."""
    rank = ranks("registry/services/versions/rebasing.py")["tests/api/versions/test_resolve.py"]
    assert IMPORTING < rank <= RELATED


@pytest.mark.parametrize("folder", ["client/ttag/cli", "registry/management/commands"])
def test_every_command_is_close_to_a_test(folder: str) -> None:
    """They are found by name; no module imports them."""
    modules = [path for path in (ROOT / folder).rglob("*.py") if "def " in path.read_text()]
    assert len(modules) > 10
    assert not [path for path in modules if not ranks(str(path.relative_to(ROOT)))]


@pytest.mark.parametrize(
    ("command", "test"),
    [
        ("client/ttag/cli/search.py", "tests/client/test_looking.py"),
        ("registry/management/commands/verify.py", "tests/services/work/test_worker.py"),
    ],
)
def test_command_is_close_to_tests_that_run_it(command: str, test: str) -> None:
    assert ranks(command)[test] <= IMPORTING + 1
    assert "tests/rules/test_pointer.py" not in ranks(command)


def test_module_without_importers_has_no_tests_elsewhere() -> None:
    assert "tests/rules/test_pointer.py" not in ranks("client/ttag/moves.py")
    assert ranks("LICENSE") == {}


@pytest.mark.parametrize("source", ["registry/server/revisions.py", "tests/tvm/registry.py"])
def test_tests_of_other_environments_are_left_out(source: str) -> None:
    """They would fail without TVM or PostgreSQL."""
    assert ranks(source)
    assert not [test for test in ranks(source) if "_postgresql" in test]
    assert not [test for test in ranks(source) if test.startswith("tests/tvm/")]


def test_groups_have_the_closest_first_and_slow_tests_last() -> None:
    ranked = ranks("registry/domain/document.py")
    groups_of_ranks = [{ranked[test] for test in tests} for tests in groups(ranked)]
    slow = [{test.startswith(SLOWEST) for test in tests} for tests in groups(ranked)]
    assert slow == sorted(slow, key=max)
    fast = groups_of_ranks[: slow.index({True})]
    assert fast == sorted(fast, key=max)
    assert all(len(ranks_of_group) == 1 for ranks_of_group in groups_of_ranks)
    assert sum(map(len, groups(ranked))) == len(ranked)


def test_several_files_take_the_lowest_rank() -> None:
    one, other = "client/ttag_rules/pointer.py", "registry/domain/reference.py"
    together, alone = ranks(one, other), (ranks(one), ranks(other))
    assert together == {
        test: min(ranked[test] for ranked in alone if test in ranked) for test in together
    }
    assert groups(together)[0] == [
        "tests/domain/test_reference.py",
        "tests/rules/test_pointer.py",
    ]
