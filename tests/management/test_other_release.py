"""A database of another release is refused in one sentence, before anything changes."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command, get_commands
from django.db import connection
from django.test import Client

from tests.commands import commands_in
from tests.databases import empty_registry, new_registry

ADVICE = "run that release, or start with an empty database"
DIFFERENCES = [  # what makes a database one of another release, and how it is reported
    (
        (
            "INSERT INTO django_migrations (app, name, applied)"
            " SELECT app, '0002_dependency_name', applied FROM django_migrations"
            " WHERE name = '0002_launch_years'"
        ),
        "the migration 0002_dependency_name is unknown",  # as of a later release
    ),
    (
        "DROP TABLE registry_saveddraft",  # as if the first migration were from before release 0.1
        "the table registry_saveddraft is missing",
    ),
    (
        "DELETE FROM django_migrations",
        "the table registry_accountreset exists before any migration",
    ),
]
OTHER_RELEASE = pytest.mark.parametrize(("change", "difference"), DIFFERENCES)

ARGUMENTS = {  # of commands that need some to reach the database
    "backup": ["FOLDER/another"],
    "bootstrap": ["somebody", "acme"],
    "changepassword": ["somebody"],
    "createsuperuser": ["--no-input", "--username", "somebody", "--email", "a@example.org"],
    "flush": ["--no-input"],
    "impact": ["arm/soc", "FOLDER/text.json"],
    "lint": ["--actor", "somebody"],
    "loaddata": ["FOLDER/text.json"],
    "log": ["show"],
    "migrate": ["--verbosity", "0"],
    "quickstart": ["8000"],
    "rebase": ["arm/soc", "--plan"],
    "redact": ["--reason", "a reason"],
    "remove_stale_contenttypes": ["--no-input"],
    "restore": ["FOLDER/backup"],
    "revoke_token": ["0123456789ab"],
    "runserver": ["--noreload", "127.0.0.1:0"],
    "shell": ["--command", "from registry.models import Tag; Tag.objects.count()"],
    "sqlmigrate": ["registry", "0001"],
    "squashmigrations": ["registry", "0001"],
    "write_mirror": ["FOLDER/mirror", "--address", "https://mirror.example.org"],
}
INDEPENDENT = {  # these use no database, or one of their own
    *("check", "collectstatic", "compilemessages", "diffsettings", "findstatic", "makemessages"),
    *("check_port", "generateschema", "sendtestemail", "spectacular", "startapp", "startproject"),
    *("generate_catalogue", "lock_catalogue", "refresh_facts", "same_builds"),
    *("dbshell", "optimizemigration", "sqlsequencereset", "test", "testserver"),
}


def sentence(difference: str) -> str:
    return f"nother release created this database ({difference}): {ADVICE}"


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("change", "difference"),
    [DIFFERENCES[0], *(pytest.param(*row, marks=pytest.mark.thorough) for row in DIFFERENCES[1:])],
)
def test_every_command_refuses_it_in_one_sentence(
    change: str, difference: str, tmp_path: Path
) -> None:
    (tmp_path / "text.json").write_text("[]")
    words = {
        name: [word.replace("FOLDER", str(tmp_path)) for word in ARGUMENTS.get(name, [])]
        for name in sorted({*get_commands()} - INDEPENDENT)
    }
    with new_registry(tmp_path) as environment, commands_in(environment) as commands:
        commands.output("backup", f"{tmp_path}/backup")
        program = f"from django.db import connection; connection.cursor().execute({change!r})"
        commands.output("shell", "--no-imports", "--command", program)
        results = {
            name: commands.run(name, *arguments, stdin="a text to redact")
            for name, arguments in words.items()
        }
    prefixes = {"dumpdata": "Unable to serialize database: "}  # Django's own
    assert {name: (each.returncode, each.stderr) for name, each in results.items()} == {
        name: (1, f"CommandError: {prefixes.get(name, '')}A{sentence(difference)}.\n")
        for name in words
    }


def test_commands_say_that_a_database_is_not_migrated(tmp_path: Path) -> None:
    lines = [
        *("load_catalogue", "bootstrap somebody acme", "reindex", "work --once", "verify"),
        *("backup -", f"write_mirror {tmp_path}/mirror --address https://a.example.org"),
    ]
    count = "from registry.models import Tag; Tag.objects.count()"
    with empty_registry(tmp_path) as environment, commands_in(environment) as commands:
        results = [commands.run(*line.split()) for line in lines]
        of_django = commands.run("shell", "--no-imports", "--command", count)
    sentence = "Migrations of this release are not applied: run manage.py migrate.\n"
    expected = [(1, f"CommandError: {sentence}")] * len(lines)
    assert [(each.returncode, each.stderr) for each in results] == expected
    assert (of_django.returncode, of_django.stderr) == (1, f"manage.py: {sentence}")


def test_commands_write_nothing_between_code_and_migrations(tmp_path: Path) -> None:
    """All their tables are there, but not what the last migration does."""
    forget = (
        "from django.db import connection\n"
        "connection.cursor().execute('DELETE FROM django_migrations WHERE id = "
        "(SELECT max(id) FROM django_migrations WHERE app = %s)', ['registry'])"
    )
    with new_registry(tmp_path) as environment, commands_in(environment) as commands:
        commands.output("shell", "--no-imports", "--command", forget)
        finished = commands.run("bootstrap", "somebody", "acme")
        assert (finished.returncode, finished.stdout) == (1, "")
        assert "run manage.py migrate" in finished.stderr


def test_migrate_says_why_a_migration_failed(tmp_path: Path) -> None:
    with empty_registry(tmp_path) as environment, commands_in(environment) as commands:
        commands.output(
            "shell",
            "--no-imports",
            "--command",
            "from django.db import connection\n"
            "connection.cursor().execute('CREATE TABLE auth_group (id INTEGER)')",
        )
        finished = commands.run("migrate", "--verbosity", "0")
    assert finished.returncode == 1
    assert finished.stderr.endswith('"auth_group" already exists\n')
    assert "are not applied" not in finished.stderr


@pytest.mark.django_db
@OTHER_RELEASE
def test_migrate_refuses_it_whoever_calls(change: str, difference: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(change)
    with pytest.raises(CommandError) as refused:
        call_command("migrate", verbosity=0)
    assert str(refused.value) == f"A{sentence(difference)}."


@pytest.mark.django_db
@OTHER_RELEASE
def test_a_server_on_it_is_not_ready(change: str, difference: str, client: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute(change)
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["problems"] == [f"a{sentence(difference)}"]
