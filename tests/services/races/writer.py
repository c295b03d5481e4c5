"""A process that writes to the registry, one job per line; run as a module.

Reads `{"job": ..., "start": time, ...}` from standard input, runs the job at that time, and writes
its result to standard output as one line of JSON.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.core import mail
from django.core.mail import EmailMessage
from django.db.models import Sum

from tests.patience import PATIENCE

os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
django.setup()

from registry.domain.errors import Code, Refused  # noqa: E402 - after django.setup()
from registry.domain.reference import Reference, Tag  # noqa: E402
from registry.models import (  # noqa: E402
    DailyUsage,
    Event,
    Namespace,
    OutgoingMail,
    Policy,
    RecentUsage,
    Role,
    Token,
    User,
    Version,
)
from registry.services.accounts import closing, tokens  # noqa: E402
from registry.services.core import shipped_facts, transactions, usage  # noqa: E402
from registry.services.core.permission_rules import Scope  # noqa: E402
from registry.services.core.permissions import Actor  # noqa: E402
from registry.services.kinds import kinds  # noqa: E402
from registry.services.namespaces import members, namespaces  # noqa: E402
from registry.services.outbox import queueing  # noqa: E402
from registry.services.proposals import review, submission  # noqa: E402
from registry.services.tags import aliases  # noqa: E402
from registry.services.versions import publishing, yanking  # noqa: E402
from registry.services.versions.drafting import versions_of  # noqa: E402
from registry.services.work.mail_delivery import MailDelivery  # noqa: E402
from registry.services.work.worker import Worker  # noqa: E402
from ttag_rules.version_number import VersionNumber  # noqa: E402

RETRIABLE = (Code.PRECONDITION_FAILED, Code.BUSY)


def alice() -> User:
    return User.objects.get(username="alice")


def prepare() -> None:
    """Create a namespace, its owner, and the shipped kinds."""
    owner = User.objects.create_user("alice")
    for name, schema in shipped_facts.kinds().items():
        kinds.revise_kind(name, schema, actor=Actor.operator(owner))
    namespaces.create_namespace("acme", actor=Actor.operator(owner))


def last_published(tag: str) -> VersionNumber | None:
    history = versions_of(Tag.parse(tag))
    return history[-1].number if history else None


def publish(tag: str, target: Any, expected: VersionNumber | None) -> str:
    name, source = Tag.parse(tag), json.dumps(target)
    version = publishing.publish(
        name, source, message="", actor=Actor.operator(alice()), expected=expected
    )
    return str(version.number)


def publish_next(tag: str, target: Any) -> dict[str, str]:
    """Publish the version after the current one, without retries."""
    last = last_published(tag)
    return {"number": publish(tag, target, last), "after": str(last)}


def publish_first(tag: str, target: Any) -> dict[str, str]:
    """Publish the first version of a tag, without retries."""
    return {"number": publish(tag, target, None)}


def publish_many(tag: str, targets: list[Any]) -> dict[str, Any]:
    """Publish each body, with retries."""
    published, tries = [], 0
    for target in targets:
        while True:
            tries += 1
            try:
                published.append(publish_next(tag, target))
                break
            except Refused as refusal:
                if refusal.code not in RETRIABLE:
                    raise
    return {"published": published, "tries": tries}


def yank(reference: str) -> dict[str, str]:
    yanking.yank(Reference.parse(reference), reason="wrong figures", actor=Actor.operator(alice()))
    return {"yanked": reference}


def propose(tag: str, target: Any) -> dict[str, int]:
    """Propose a body on top of the current version."""
    name, source, base = Tag.parse(tag), json.dumps(target), last_published(tag)
    proposal = submission.propose(
        name, source, message="", base=base, actor=Actor.operator(alice())
    )
    return {"proposal": proposal.pk}


def accept(number: int) -> dict[str, str]:
    version = review.accept(number, seen=1, actor=Actor.operator(alice()))
    assert version, "no policy asks for a second person"
    return {"accepted": version.exact}


def withdraw(number: int) -> dict[str, int]:
    review.withdraw(number, actor=Actor.operator(alice()))
    return {"withdrawn": number}


def create_member(namespace: str) -> dict[str, str]:
    """Create a namespace, a member of the same name, and a token to publish in it."""
    created = namespaces.create_namespace(namespace, actor=Actor.operator(alice()))
    member = User.objects.create_user(namespace)
    members.grant_role(created, member, Role.MEMBER, actor=Actor.operator(alice()))
    text = tokens.issue_token(
        member, label="ci", scopes={Scope.PUBLISH}, pattern=namespace, actor=Actor(member)
    )
    return {"token": text}


LOSSES: dict[str, Callable[[str], Any]] = {
    "revocation": lambda name: tokens.revoke_token(
        Token.objects.get(owner__username=name).prefix, actor=Actor(member(name))
    ),
    "demotion": lambda name: members.revoke_membership(
        Namespace.objects.get(name=name), member(name), actor=Actor.operator(alice())
    ),
    "closed account": lambda name: closing.close_account(actor=Actor(member(name))),
    "four eyes": lambda name: switch_to_four_eyes(Namespace.objects.get(name=name)),
}


def switch_to_four_eyes(namespace: Namespace) -> None:
    """Set the policy of a namespace, which needs two curators."""
    operator = Actor.operator(alice())
    for number in range(2):
        curator = User.objects.create_user(f"{namespace}-curator-{number}")
        members.grant_role(namespace, curator, Role.CURATOR, actor=operator)
    namespaces.set_policy(namespace, Policy.FOUR_EYES, actor=operator)


def member(name: str) -> User:
    return User.objects.get(username=name)


def revoke_permission(loss: str, namespace: str, folder: str) -> dict[str, str]:
    """Revoke a member's permission, and hold the lock until the publication waits for it."""
    wait_for(Path(folder, "ready"))
    with transactions.write_lock():
        LOSSES[loss](namespace)
        Path(folder, "held").touch()
        wait_for(Path(folder, "prepared"))
        time.sleep(0.1)  # likely long enough for the publication to wait; not required
    return {"lost": loss}


def publish_with_token(token: str, namespace: str, folder: str) -> dict[str, str]:
    """Publish with a token, which passes the first check and then waits for the lock."""
    actor = tokens.authenticate(token)
    Path(folder, "ready").touch()
    wait_for(Path(folder, "held"))
    prepare = publishing.prepare

    def prepare_and_signal(*args: Any, **kwargs: Any) -> Any:
        pending = prepare(*args, **kwargs)
        Path(folder, "prepared").touch()
        return pending

    publishing.prepare = prepare_and_signal
    try:
        version = publishing.publish(
            Tag.parse(f"{namespace}/board"),
            json.dumps({"kind": "llvm"}),
            message="",
            actor=actor,
            expected=None,
        )
    finally:
        publishing.prepare = prepare
    return {"number": str(version.number)}


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while not path.exists():
        if time.monotonic() > deadline:
            raise TimeoutError(path.name)
        time.sleep(0.005)


def watch(until: int) -> dict[str, int]:
    """Poll the log until it has `until` events, and assert that it never has gaps."""
    polls, deadline = 0, time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        polls += 1
        numbers = list(Event.objects.order_by("number").values_list("number", flat=True))
        assert numbers == list(range(1, len(numbers) + 1)), f"the log has gaps: {numbers}"
        if len(numbers) >= until:
            return {"polls": polls}
        time.sleep(0.005)  # leave the database to the writers
    raise TimeoutError(f"{Event.objects.count()} events instead of {until}")


def point_alias(alias: str, reference: str) -> dict[str, str]:
    aliases.point_alias(alias, Reference.parse(reference), actor=Actor.operator(alice()))
    return {"alias": alias}


def log(after: int) -> list[tuple[int, str, str]]:
    """Return number, action and subject of each event after a number."""
    events = Event.objects.filter(number__gt=after).order_by("number")
    return list(events.values_list("number", "action", "subject"))


def count_usage(tags: list[str], times: int) -> dict[str, int]:
    """Count each tag so many times, with a flush after each, and wait until all is written."""
    for _ in range(times):
        for tag in tags:
            usage.count(tag)
        usage.flush()
    deadline = time.monotonic() + PATIENCE
    while usage._counts and time.monotonic() < deadline:
        usage.flush()
    return {"left": len(usage._counts)}


def read_usage(tags: list[str]) -> dict[str, dict[str, int]]:
    """Return the stored counts of some tags: those of all days, and of the last 30."""
    rows = DailyUsage.objects.filter(tag__text__in=tags)
    daily = rows.values_list("tag__text").annotate(Sum("resolves"))
    sums = RecentUsage.objects.filter(text__in=tags).values_list("text", "resolves")
    return {"daily": dict(daily), "recent": dict(sums)}


def queue_mails(number: int) -> dict[str, list[str]]:
    """Queue mails; return their Message-IDs."""
    for index in range(number):
        queueing.queue("test", EmailMessage(str(index), "text", to=["bob@example.org"]))
    return {"queued": list(OutgoingMail.objects.values_list("message_id", flat=True))}


def send_mails() -> dict[str, list[str]]:
    """Work until no mail waits; return the Message-IDs of what this process has sent."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    worker, deadline = Worker([MailDelivery()]), time.monotonic() + PATIENCE
    while OutgoingMail.objects.exists() and time.monotonic() < deadline:
        worker.do_once()
    sent: list[Any] = getattr(mail, "outbox", [])
    return {"sent": [message.extra_headers["Message-ID"] for message in sent]}


def versions(tag: str) -> list[dict[str, Any]]:
    """Return the versions of a tag in order of publication."""
    stored = Version.objects.filter(tag__text=tag).order_by("pk").select_related("tag")
    return [
        {
            "exact": version.exact,
            "body": json.loads(version.source),
            "lineage": json.loads(version.lineage),
        }
        for version in stored
    ]


JOBS: dict[str, Callable[..., Any]] = {
    job.__name__: job
    for job in (
        *(prepare, publish_first, publish_next, publish_many, yank, point_alias),
        *(propose, accept, withdraw),
        *(create_member, revoke_permission, publish_with_token),
        *(watch, log, versions, count_usage, read_usage),
        *(queue_mails, send_mails),
    )
}


def main() -> None:
    Namespace.objects.exists()  # connects before the first job
    for line in sys.stdin:
        job = json.loads(line)
        time.sleep(max(0, job.pop("start") - time.time()))
        try:
            result = JOBS[job.pop("job")](**job)
        except Refused as refusal:
            result = {"refused": [refusal.code, *(fault.code for fault in refusal.faults)]}
        sys.stdout.write(json.dumps(result) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
