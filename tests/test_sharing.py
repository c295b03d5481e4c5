import pytest

from tests.compile import ROOT
from tests.sharing import TOGETHER, group_of


@pytest.mark.parametrize(
    ("nodeid", "group"),
    [
        ("tests/client/lock/test_lock.py::test_a[x::y]", "tests/client/"),
        ("tests/test_server.py::test_a", "tests/test_edge.py"),
        ("tests/test_server_log.py::test_a", "tests/test_server_log.py"),
        ("tests/web/core/test_roles.py::test_a", "tests/web/core/test_roles.py"),
    ],
)
def test_files_that_share_something_run_together(nodeid: str, group: str) -> None:
    assert group_of(nodeid) == group


@pytest.mark.parametrize("name", [name for row in TOGETHER for name in row])
def test_files_that_run_together_exist(name: str) -> None:
    assert (ROOT / name).exists()


def test_servers_of_a_process_are_started_by_one_process() -> None:
    fixtures = ("plain_server", "proxied_server")
    users = [
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "tests").glob("test_*.py")
        if path.name != "test_sharing.py" and any(name in path.read_text() for name in fixtures)
    ]
    assert len({*map(group_of, users)}) == 1
    assert len(users) > 1
