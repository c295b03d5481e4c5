"""What is wrong with `REGISTRY_VAR` is one sentence, not a traceback."""

import errno

import pytest

from registry import command_line


def test_folder_that_cannot_be_made_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_name: str) -> None:
        raise NotADirectoryError(errno.ENOTDIR, "Not a directory", "/dev/null/x")

    monkeypatch.setattr(command_line, "import_module", fail)
    monkeypatch.setattr("sys.argv", ["manage.py", "verify"])
    with pytest.raises(SystemExit) as ended:
        command_line.main()
    sentence = "manage.py: /dev/null/x: Not a directory; REGISTRY_VAR names the folder."
    assert ended.value.code == sentence
