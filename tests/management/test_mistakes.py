"""Commands answer mistakes of operators with one sentence, before they write anything."""

import errno
import sqlite3
from argparse import Action, ArgumentParser, _StoreAction
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import (
    CommandError,
    call_command,
    get_commands,
    load_command_class,
)
from django.db import DatabaseError

from registry import command_line
from registry.management.base import StoreOnce
from tests.database_faults import sqlite_error

PORT = "PORT must be a whole number from 1 to 65535"
ADDRESS = "expected https:// and a host, without a path"
MIRROR = "write_mirror FOLDER --address"
MISTAKES = [
    ("serve --port 0", PORT),  # each process would listen on another one
    ("serve --port 99999", PORT),
    ("serve --port -1", PORT),
    ("quickstart 0", PORT),
    ("backup - --keep 3", "--keep needs a file"),
    ("work --once --keep 0", "--keep is at least 1"),
    ("work --once --format clang", "--format needs --mirror"),
    ("work --once --at backup=02:00", "--at backup=… needs --backups"),
    ("work --once --at verify=02:00", "--at verify=… needs --verify"),
    ("work --once --verify --at mirror=02:00", "--at mirror=… needs --mirror"),
    ("work --forget backup --once", "--forget starts no worker"),
    ("work --forget backup --verify", "--forget starts no worker"),
    ("work --forget clean-up", "invalid choice: 'clean-up'"),  # every worker has it
    (f"{MIRROR} registry.example.org", ADDRESS),
    (f"{MIRROR} ftp://registry.example.org", ADDRESS),
    (f"{MIRROR} https://registry.example.org/api", ADDRESS),
    (f"{MIRROR} https://", ADDRESS),
    ("backup FOLDER --keep 1 --keep=2", "--keep is 1 and also 2: state one"),
    ("log rotate --actor alice --actor bob", "--actor is alice and also bob: state one"),
    ("verify --verbosity 0 -v 1", "-v is 0 and also 1: state one"),
]


@pytest.mark.parametrize(("line", "sentence"), MISTAKES)
def test_mistake_is_named_before_the_database_is_asked(
    line: str, sentence: str, tmp_path: Path
) -> None:
    folder = tmp_path / "mirror"
    with pytest.raises(CommandError) as refused:
        call_command(*line.replace("FOLDER", str(folder)).split())
    assert sentence in str(refused.value)
    assert not folder.exists()


@pytest.mark.parametrize(
    "options", [["--keep", "3"], ["--at", "clean-up=02:00"], ["--verify", "--at", "verify=02:00"]]
)
@pytest.mark.django_db
def test_other_options_of_the_worker_are_no_mistake(
    options: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("registry.management.commands.work.Worker.do_once", lambda _worker: [])
    call_command("work", "--once", *options)


@pytest.mark.parametrize("address", ["http://127.0.0.1:8000", "https://registry.example.org/"])
@pytest.mark.django_db
def test_addresses_of_registries_are_no_mistake(address: str, tmp_path: Path) -> None:
    call_command("write_mirror", str(tmp_path / "mirror"), "--address", address)


def test_folder_that_cannot_be_made_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_name: str) -> None:
        raise NotADirectoryError(errno.ENOTDIR, "Not a directory", "/dev/null/x")

    monkeypatch.setattr(command_line, "import_module", fail)
    monkeypatch.setattr("sys.argv", ["manage.py", "verify"])
    with pytest.raises(SystemExit) as ended:
        command_line.main()
    sentence = "manage.py: /dev/null/x: Not a directory; REGISTRY_VAR names the folder."
    assert ended.value.code == sentence


def test_option_that_is_repeated_with_its_value_is_no_mistake() -> None:
    parser = load_command_class("registry", "backup").create_parser("", "backup")
    assert parser.parse_args(["x.gz", "--keep", "2", "--keep=2"]).keep == 2


def options() -> Iterator[tuple[str, str, Action]]:
    """Yield the options of all commands and their subcommands, each with its command."""
    for name in [name for name, app in get_commands().items() if app == "registry"]:
        actions = list(load_command_class("registry", name).create_parser("", name)._actions)
        for action in actions:
            if isinstance(action.choices, dict) and not action.option_strings:
                actions += [each for parser in action.choices.values() for each in parser._actions]
            elif action.option_strings:
                yield name, action.option_strings[-1], action


def test_every_option_with_one_value_refuses_another() -> None:
    taking_the_last = {
        (name, option)
        for name, option, action in options()
        if isinstance(action, _StoreAction) and not isinstance(action, StoreOnce)
    }
    assert not taking_the_last
    assert ("log", "--reason") in {(name, option) for name, option, _ in options()}


def test_values_of_a_repeated_option_add_up() -> None:
    several = {(name, option): action for name, option, action in options() if action.nargs == "+"}
    assert {name for name, _ in several} >= {"rebase", "load_catalogue", "bootstrap", "work"}
    for (name, option), action in several.items():
        values = list(action.choices or ["a", "b"])[:2]
        words = [word for value in values for word in (option, value)]
        parser = ArgumentParser()
        parser._add_action(action)
        assert vars(parser.parse_args(words))[action.dest] == values, name


@pytest.mark.parametrize("code", [sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB])
def test_damaged_database_is_a_sentence(code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit) as ended:
        run_failing(sqlite_error(code, "not a database"), monkeypatch)
    assert "is damaged (not a database): restore the last backup" in str(ended.value.code)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (PermissionError(errno.EACCES, "Permission denied", "/x"), "/x: Permission denied."),
        (OSError(errno.EFBIG, "File too large"), "The output: File too large."),
        (sqlite_error(sqlite3.SQLITE_IOERR | 3 << 8), "cannot be read or written (from SQLite)"),
    ],
)
def test_disk_that_cannot_serve_is_a_sentence(
    error: Exception, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SystemExit) as ended:
        run_failing(error, monkeypatch)
    assert sentence in str(ended.value.code)


def test_error_of_a_file_that_is_a_defect_stays_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileNotFoundError):
        run_failing(FileNotFoundError(errno.ENOENT, "No such file", "/x"), monkeypatch)


def test_unknown_error_of_the_database_stays_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_line.release_check, "problem", lambda: None)
    with pytest.raises(DatabaseError):
        run_failing(sqlite_error(sqlite3.SQLITE_MISMATCH), monkeypatch)


def test_interrupted_command_ends_as_shells_say_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        run_failing(KeyboardInterrupt(), monkeypatch)
    assert ended.value.code == 130
    assert capsys.readouterr().err == ""


def run_failing(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a command that fails with an error."""

    def fail(_words: list[str]) -> None:
        raise error

    monkeypatch.setattr(command_line, "execute_from_command_line", fail)
    monkeypatch.setattr("sys.argv", ["manage.py", "outbox"])
    command_line.main()
