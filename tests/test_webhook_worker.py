"""A worker that is killed while it posts: the next one posts the event again, with the same id."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from django.conf import settings

from registry.domain.webhooks import signatures
from registry.services.outbox.sealing import seal
from registry.services.webhooks.registration import SECRET
from tests.databases import FILE, ROOT, copy_sqlite
from tests.patience import PATIENCE
from tests.receiver import Receiver, run_receiver
from tests.serving import create_token, environment_of, publish, run_server
from tests.working import wait_until

VARIABLES = {"SECRET_KEY": settings.SECRET_KEY}
WORKER = [sys.executable, "-m", "tests.services.webhooks.killed_worker"]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with run_receiver() as running:
        yield running


@pytest.fixture
def var(tmp_path: Path) -> Path:
    copy_sqlite(tmp_path / FILE, loaded=True)
    return tmp_path


def execute(var: Path, sql: str, *values: object) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(var / FILE, timeout=PATIENCE)) as database, database:
        return list(database.execute(sql, values))


def add_webhook(var: Path, url: str) -> None:
    """Add a webhook of acme to an address that no registration permits."""
    execute(
        var,
        "INSERT INTO registry_webhook (url, secret, created, failures, namespace_id, registrar_id) "
        "SELECT ?, ?, '2026-01-01', 0, namespace.id, user.id "
        "FROM registry_namespace namespace, registry_user user "
        "WHERE namespace.name = 'acme' AND user.username = 'alice'",
        url,
        seal({SECRET: signatures.new_secret()}),
    )
    execute(var, "UPDATE registry_logcursor SET number = (SELECT max(number) FROM registry_event)")


@contextmanager
def working(environment: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(WORKER, cwd=ROOT, env=dict(environment), stdout=subprocess.PIPE)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.system
def test_event_of_a_killed_worker_arrives_once_or_with_the_same_id(
    var: Path, receiver: Receiver
) -> None:
    environment = environment_of(var) | VARIABLES
    token = create_token(environment)
    add_webhook(var, receiver.url)
    receiver.goes_on.clear()  # it has the message, and does not respond
    with run_server(var, VARIABLES) as server:
        for name in ("one", "two"):
            assert publish(server, token, f"acme/{name}") == (201, "")
        with working(environment) as worker:
            assert receiver.has_message.wait(PATIENCE)
            worker.kill()
            worker.wait()
        receiver.goes_on.set()
        execute(var, "UPDATE registry_duty SET held_until = '2000-01-01' WHERE holder != ''")
        with working(environment):
            wait_until(lambda: not waiting(var), "both events")
    subjects = [message["data"]["subject"] for message in receiver.messages]
    ids = dict(zip(subjects, receiver.ids, strict=True))
    assert list(ids) == ["acme/one@1.0.0", "acme/two@1.0.0"]
    assert len(set(receiver.ids)) == 2, "what is repeated has the same id"
    assert subjects.count("acme/one@1.0.0") <= 2
    assert subjects.count("acme/two@1.0.0") == 1


def waiting(var: Path) -> int:
    ((count,),) = execute(
        var, "SELECT 2 - count(*) FROM registry_webhookdelivery WHERE delivered IS NOT NULL"
    )
    assert isinstance(count, int)
    return count
