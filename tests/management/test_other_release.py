"""A database of another release is refused in one sentence, before anything changes."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command, get_commands
from django.db import connection
from django.test import Client

from tests.databases import ROOT, empty_registry, new_registry

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
# Runs each command in a process of its own, forked because starting one takes a second.
RUN_ALL = """
import json, os, signal, sys, tempfile
import django
import manage
from django.core import checks
from django.core.management import get_commands, load_command_class
from registry.site_files import CLIENT

def run(words):
    with tempfile.TemporaryFile("w+") as output:
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            os.dup2(os.open(sys.argv[2], os.O_RDONLY), 0)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(output.fileno(), 2)
            sys.argv = ["manage.py", *words]
            code = 0
            try:
                manage.main()
            except SystemExit as end:
                code = end.code
            except BaseException as error:
                code = f"Traceback of {error!r}"
            if isinstance(code, str):
                print(code, file=sys.stderr)
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(1 if code else 0)
        _, status = os.waitpid(child, 0)
        output.seek(0)
        return [os.waitstatus_to_exitcode(status), output.read()]

django.setup()
sys.path.insert(1, str(CLIENT))  # as manage.main does
commands = json.loads(sys.argv[1])
if len(commands) > 10:  # import what they do before forking
    for name, application in get_commands().items():
        load_command_class(application, name)
    checks.run_checks()  # imports the pages
print(json.dumps({words[0]: run(words) for words in commands}))
"""


def sentence(difference: str) -> str:
    return f"nother release created this database ({difference}): {ADVICE}"


def run_all(
    environment: Mapping[str, str], commands: list[list[str]]
) -> dict[str, tuple[int, str]]:
    """Return the exit code of commands, and what they write to stderr."""
    variables = {**environment, "DJANGO_SETTINGS_MODULE": "registry.settings"}
    standard_input = Path(environment["REGISTRY_VAR"]) / "input"
    standard_input.write_text("a text to redact")
    program = [sys.executable, "-c", RUN_ALL, json.dumps(commands), str(standard_input)]
    finished = subprocess.run(program, cwd=ROOT, env=variables, stdout=-1, text=True, check=True)
    return {name: (code, output) for name, (code, output) in json.loads(finished.stdout).items()}


def change_database(environment: Mapping[str, str], statement: str) -> None:
    """Execute a statement in the database of an environment."""
    program = f"from django.db import connection; connection.cursor().execute({statement!r})"
    command = [sys.executable, "manage.py", "shell", "--no-imports", "--command", program]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("change", "difference"),
    [DIFFERENCES[0], *(pytest.param(*row, marks=pytest.mark.thorough) for row in DIFFERENCES[1:])],
)
def test_every_command_refuses_it_in_one_sentence(
    change: str, difference: str, tmp_path: Path
) -> None:
    (tmp_path / "text.json").write_text("[]")
    commands = [
        [name, *(word.replace("FOLDER", str(tmp_path)) for word in ARGUMENTS.get(name, []))]
        for name in sorted({*get_commands()} - INDEPENDENT)
    ]
    with new_registry(tmp_path) as environment:
        run_all(environment, [["backup", f"{tmp_path}/backup"]])
        change_database(environment, change)
        results = run_all(environment, commands)
    prefixes = {"dumpdata": "Unable to serialize database: "}  # Django's own
    assert results == {
        name: (1, f"CommandError: {prefixes.get(name, '')}A{sentence(difference)}.\n")
        for name, *_ in commands
    }


def test_commands_say_that_a_database_is_not_migrated(tmp_path: Path) -> None:
    commands = [["load_catalogue"], ["bootstrap", "somebody", "acme"], ["reindex"]]
    with empty_registry(tmp_path) as environment:
        results = run_all(environment, commands)
    sentence = "manage.py: Migrations of this release are not applied: run manage.py migrate.\n"
    assert results == {name: (1, sentence) for name, *_ in commands}


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
