"""Modules that PostgreSQL's run does not import."""

import pytest

from tests.any_database import is_left_out

MARK = "pytest.mark.any_database"


@pytest.mark.parametrize(
    "source",
    [
        f"pytestmark = {MARK}",
        f"import pytest\n\npytestmark = {MARK}\n",
        f"pytestmark = [{MARK}, pytest.mark.django_db]",
        f'pytestmark = [pytest.mark.usefixtures("acme"), {MARK}]',
        f"pytestmark = [\n    pytest.mark.django_db,\n    {MARK},\n]",
    ],
)
def test_module_of_which_all_tests_are_marked_is_left_out(source: str) -> None:
    assert is_left_out(source)


@pytest.mark.parametrize(
    "source",
    [
        "",
        "pytestmark = pytest.mark.django_db",
        f"@{MARK}\ndef test_one() -> None: ...",
        f"# pytestmark = {MARK}",
        f'TEXT = """\n    pytestmark = {MARK}\n"""',
        f"def test_one() -> None:\n    pytestmark = {MARK}",
        f"pytestmark = {MARK}_server",
        f"pytestmark = [pytest.mark.django_db]\n\n@{MARK}\ndef test_one() -> None: ...",
        f"pytestmark = pytest.mark.django_db\nMARKS = [{MARK}]",
    ],
)
def test_module_of_which_a_test_may_depend_on_the_database_is_not(source: str) -> None:
    assert not is_left_out(source)
