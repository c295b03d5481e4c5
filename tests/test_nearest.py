import pytest

from tests.nearest import IMPORTING, NAMED, RELATED, nearest, ranks
from tests.slow_files import SLOWEST


@pytest.mark.parametrize(
    ("source", "test"),
    [
        ("registry/services/versions/yanking.py", "tests/services/versions/test_yanking.py"),
        ("registry/domain/pointer.py", "tests/domain/test_pointer.py"),
        ("client/ttag/cli/check.py", "tests/client/test_check.py"),
        ("templates/web/tags/tag.html", "tests/web/tags/test_tag.py"),
        ("registry/domain/event_log/merkle.py", "tests/domain/event_log/test_merkle.py"),
    ],
)
def test_test_named_after_a_file_is_closest(source: str, test: str) -> None:
    assert ranks(source)[test] == NAMED
    assert nearest([source])[0] == test


def test_changed_test_is_closest_to_itself() -> None:
    assert nearest(["tests/domain/test_pointer.py"])[0] == "tests/domain/test_pointer.py"


def test_importers_follow_by_their_distance() -> None:
    distances = ranks("registry/domain/pointer.py")
    assert distances["tests/domain/formats/test_iree.py"] == IMPORTING
    assert distances["tests/domain/test_inheritance.py"] > IMPORTING


def test_folder_of_the_same_name_is_related() -> None:
    """Views call the service; no test of theirs imports it."""
    rank = ranks("registry/services/versions/rebasing.py")["tests/api/versions/test_resolve.py"]
    assert IMPORTING < rank <= RELATED


def test_module_without_importers_has_no_tests_elsewhere() -> None:
    assert "tests/domain/test_pointer.py" not in ranks("client/ttag/moves.py")
    assert ranks("LICENSE") == {}


@pytest.mark.parametrize("source", ["registry/server/revisions.py", "tests/tvm/registry.py"])
def test_tests_of_other_environments_are_left_out(source: str) -> None:
    """They would fail without TVM or PostgreSQL."""
    assert ranks(source)
    assert not [test for test in ranks(source) if "_postgresql" in test or "/tvm/" in test]


def test_slow_tests_come_last() -> None:
    slow = [test.startswith(SLOWEST) for test in nearest(["registry/domain/pointer.py"])]
    assert slow == sorted(slow)
    assert {*slow} == {False, True}


def test_several_files_take_the_lowest_rank() -> None:
    tests = nearest(["registry/domain/pointer.py", "registry/domain/reference.py"])
    assert {*tests[:2]} == {"tests/domain/test_pointer.py", "tests/domain/test_reference.py"}
    assert len(tests) == len({*tests})
