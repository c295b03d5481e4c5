"""The worker as a process: slow mail holds no request, and a killed worker loses no mail."""

import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from registry.services.outbox.sealing import Content, seal
from tests.databases import FILE, ROOT, copy_sqlite
from tests.mail_server import MailServer, run_mail_server
from tests.patience import PATIENCE
from tests.serving import (
    Server,
    create_token,
    environment_of,
    publish,
    run_server,
)
from tests.working import is_running, run_worker, wait_until, work_command

PASSWORD = "correct horse battery"
SIGN_UPS = 3  # more than there are threads for them


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    with run_mail_server() as running:
        yield running


@pytest.fixture
def variables(mail_server: MailServer) -> Mapping[str, str]:
    """Return the settings of a registry that sends mail to the mail server."""
    return {
        "EMAIL_URL": mail_server.url,
        "EMAIL_FROM": "registry@example.org",
        "SECRET_KEY": settings.SECRET_KEY,
    }


@pytest.fixture
def var(tmp_path: Path) -> Path:
    """Return a folder with a registry whose nightly clean-up is done."""
    copy_sqlite(tmp_path / FILE, loaded=True)
    execute(
        tmp_path,
        "INSERT INTO registry_duty (name, holder, succeeded, failures, reason) "
        "VALUES ('clean-up', '', ?, 0, '')",
        "2999-01-01 00:00:00",
    )
    return tmp_path


def execute(var: Path, sql: str, *values: object) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(var / FILE, timeout=PATIENCE)) as database, database:
        return list(database.execute(sql, values))


def queue(var: Path, number: int) -> list[str]:
    """Queue mails; return their Message-IDs."""
    ids = [f"<{index}@example.org>" for index in range(number)]
    content: Content = {
        "to": ["bob@example.org"],
        "subject": "s",
        "text": "t",
        "html": None,
        "headers": {},
    }
    for message_id in ids:
        execute(
            var,
            "INSERT INTO registry_outgoingmail "
            "(kind, message_id, content, created, due, attempts, reason) "
            "VALUES ('test', ?, ?, datetime('now'), datetime('now'), 0, '')",
            message_id,
            seal(content),
        )
    return ids


def waiting(var: Path) -> int:
    ((count,),) = execute(var, "SELECT count(*) FROM registry_outgoingmail")
    assert isinstance(count, int)
    return count


def post_form(port: int, path: str, **fields: str) -> int:
    """Fill in a form as a browser does; return the status."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        connection.request("GET", path)
        response = connection.getresponse()
        token = re.search(rb'csrfmiddlewaretoken" value="([^"]+)', response.read())
        assert token
        fields["csrfmiddlewaretoken"] = token[1].decode()
        headers = {
            "Cookie": response.headers["Set-Cookie"].partition(";")[0],
            "Content-Type": "application/x-www-form-urlencoded",
        }
        connection.request("POST", path, urlencode(fields), headers)
        return connection.getresponse().status


def sign_up(server: Server, name: str) -> int:
    email = f"{name}@example.org"
    return post_form(
        server.port,
        "/accounts/signup/",
        username=name,
        email=email,
        password1=PASSWORD,
        password2=PASSWORD,
    )


@pytest.mark.system
def test_slow_mail_server_holds_neither_sign_ups_nor_publications(
    var: Path, variables: Mapping[str, str], mail_server: MailServer
) -> None:
    mail_server.goes_on.clear()  # it replies to nobody
    token = create_token(environment_of(var) | dict(variables))
    with run_server(var, variables) as server, run_worker(var, variables):
        with ThreadPoolExecutor(SIGN_UPS) as people:
            sign_ups = [people.submit(sign_up, server, f"name-{n}") for n in range(SIGN_UPS)]
            assert [each.result() for each in sign_ups] == [302] * SIGN_UPS
        assert mail_server.has_mail.wait(PATIENCE)
        assert publish(server, token, "acme/board") == (201, "")
        fields = {"email": "name-1@example.org"}
        assert post_form(server.port, "/accounts/password/reset/", **fields) == 302
        for ending in ("", "-wal"):
            stored = (var / f"{FILE}{ending}").read_bytes()
            assert b"email_confirmation_signup" in stored or not ending
            assert b"/accounts/confirm-email/" not in stored, "its links are encrypted"
        assert not mail_server.mails, "all of that while the mail server kept the worker waiting"
        mail_server.goes_on.set()
        wait_until(lambda: len(mail_server.mails) >= SIGN_UPS + 1, "all mail")
        receivers = {str(mail["To"]) for mail in mail_server.mails}
        assert receivers == {f"name-{n}@example.org" for n in range(SIGN_UPS)}


def test_mail_of_a_killed_worker_is_sent_by_the_next_with_the_same_id(
    var: Path, variables: Mapping[str, str], mail_server: MailServer
) -> None:
    mail_server.goes_on.clear()
    ids = queue(var, 3)
    with run_worker(var, variables) as worker:
        assert mail_server.has_mail.wait(PATIENCE)
        worker.kill()
        worker.wait()
    mail_server.goes_on.set()  # now it has accepted the first mail, and nobody knows
    assert waiting(var) == 3
    with run_worker(var, variables):
        execute(var, "UPDATE registry_duty SET held_until = '2000-01-01' WHERE name = 'mail'")
        wait_until(lambda: waiting(var) == 0, "all mail")
    sent = mail_server.message_ids()
    assert set(sent) == set(ids)
    assert len(sent) - len(ids) <= 1, "only the mail at hand is sent twice"


@pytest.mark.system
def test_two_workers_send_each_mail_once(
    var: Path, variables: Mapping[str, str], mail_server: MailServer
) -> None:
    ids = queue(var, 30)
    with run_worker(var, variables), run_worker(var, variables):
        wait_until(lambda: waiting(var) == 0, "all mail")
    assert sorted(mail_server.message_ids()) == sorted(ids)


def test_once_sends_what_is_due_and_ends(
    var: Path, variables: Mapping[str, str], mail_server: MailServer
) -> None:
    ids = queue(var, 2)
    environment = environment_of(var) | dict(variables)
    subprocess.run(work_command("--once"), cwd=ROOT, env=environment, check=True)
    assert mail_server.message_ids() == ids
    assert waiting(var) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_ends_the_worker_after_the_mail_at_hand(
    var: Path, variables: Mapping[str, str], mail_server: MailServer, number: int
) -> None:
    mail_server.goes_on.clear()
    queue(var, 3)
    with run_worker(var, variables) as worker:
        assert mail_server.has_mail.wait(PATIENCE)
        worker.send_signal(number)
        with pytest.raises(subprocess.TimeoutExpired):
            worker.wait(0.5)
        mail_server.goes_on.set()
        assert worker.wait(PATIENCE) == 0
    assert len(mail_server.mails) == 1
    assert waiting(var) == 2
    assert execute(var, "SELECT holder FROM registry_duty WHERE name = 'mail'") == [("",)]


@pytest.mark.system
def test_failing_job_is_recorded_and_holds_no_mail(
    var: Path, variables: Mapping[str, str], mail_server: MailServer, tmp_path: Path
) -> None:
    with run_worker(var, variables, "--backups", str(tmp_path / "absent"), "--verify"):
        wait_until(lambda: execute(var, FAILED), "the backup fails")
        queue(var, 1)
        wait_until(lambda: waiting(var) == 0, "mail")
    ((reason,),) = execute(var, FAILED)
    assert "cannot be written: No such file or directory" in str(reason)


FAILED = "SELECT reason FROM registry_duty WHERE name = 'backup' AND failures = 1"


def test_once_fails_if_a_job_does(var: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        work_command("--once", "--backups", str(tmp_path / "absent")),
        cwd=ROOT,
        env=environment_of(var),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.endswith("CommandError: Failed: backup.\n")


def test_worker_ends_with_its_parent(var: Path) -> None:
    command = f"{sys.executable} manage.py work --parent $$ & echo $!; exec sleep 60"
    with subprocess.Popen(
        ["/bin/sh", "-c", command], cwd=ROOT, env=environment_of(var), stdout=subprocess.PIPE
    ) as parent:
        assert parent.stdout
        worker = int(parent.stdout.readline())
        parent.kill()
    wait_until(lambda: not is_running(worker), "the worker ends")


@pytest.mark.parametrize("option", ["backup", "backup=25:00", "lunch=12:00", "backup=2"])
def test_wrong_time_is_refused(option: str) -> None:
    expected = "expected one of clean-up, backup, verify, mirror, and a time"
    with pytest.raises(CommandError, match=expected):
        call_command("work", "--once", "--at", option)


@pytest.mark.system
def test_news_of_a_killed_worker_are_mailed_once_or_with_the_same_id(
    var: Path, variables: Mapping[str, str], mail_server: MailServer
) -> None:
    """Publishing enqueues nothing: the worker finds the events, even those of before its start."""
    news = dict(variables) | {"REGISTRY_ADDRESS": "https://registry.example.org"}
    add_watcher(var)
    token = create_token(environment_of(var) | news)
    mail_server.goes_on.clear()
    with run_server(var, news) as server:
        assert publish(server, token, "acme/board") == (201, "")
        with run_worker(var, news) as worker:
            assert mail_server.has_mail.wait(PATIENCE)
            worker.kill()
            worker.wait()
        mail_server.goes_on.set()
        execute(var, "UPDATE registry_duty SET held_until = '2000-01-01' WHERE holder != ''")
        with run_worker(var, news):
            wait_until(lambda: mail_server.mails and waiting(var) == 0, "the mail")
            assert publish(server, token, "acme/other") == (201, "")
            wait_until(lambda: has_subject(mail_server, "acme/other"), "news of the next event")
    first = [mail for mail in mail_server.mails if "acme/board" in str(mail["Subject"])]
    assert 1 <= len(first) <= 2, "the mail at hand may arrive twice"
    assert len({str(mail["Message-ID"]) for mail in first}) == 1
    assert all(str(mail["To"]) == "bob@example.org" for mail in mail_server.mails)
    assert len(mail_server.mails) == len(first) + 1


def has_subject(mail_server: MailServer, text: str) -> bool:
    return any(text in str(mail["Subject"]) for mail in mail_server.mails)


def add_watcher(var: Path) -> None:
    """Add an account that watches the namespace acme, and wants its news at once."""
    moment = "2026-01-01 00:00:00"
    execute(
        var,
        "INSERT INTO registry_user (id, password, is_superuser, username, first_name, last_name, "
        "email, is_staff, is_active, date_joined) "
        "VALUES (9000, '!', 0, 'bob', '', '', '', 0, 1, ?)",
        moment,
    )
    execute(
        var,
        'INSERT INTO account_emailaddress (user_id, email, verified, "primary") '
        "VALUES (9000, 'bob@example.org', 1, 1)",
    )
    execute(
        var,
        "INSERT INTO registry_watch (user_id, name, is_on, created) VALUES (9000, 'acme', 1, ?)",
        moment,
    )
    execute(
        var,
        "INSERT INTO registry_mailchoice (user_id, kind, time) VALUES (9000, 'watched', 'at once')",
    )
    execute(var, "UPDATE registry_logcursor SET number = (SELECT max(number) FROM registry_event)")
