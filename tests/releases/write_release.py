"""Write a small registry of this release and its backup, which `test_upgrade` upgrades.

Runs at the commit of a release, with its code, and replaces all files in the folder:

    .venv/bin/python -m tests.releases.write_release tests/releases/0.2
"""

# Decision 125: only files that a release wrote show that an upgrade reads them.

import gzip
import json
import lzma
import os
import sys
import tempfile
from pathlib import Path

from tests.databases import LOG_KEY

VAR = tempfile.TemporaryDirectory()
os.environ |= {
    "DJANGO_SETTINGS_MODULE": "registry.settings",
    "REGISTRY_VAR": VAR.name,
    "REGISTRY_LOG_KEY": LOG_KEY,  # with which tests go on
    "REGISTRY_ADDRESS": "https://registry.example",
    "ALLOWED_HOSTS": "localhost,registry.example",
}
os.environ.pop("DATABASE_URL", None)

import django  # noqa: E402 - the settings read the environment

django.setup()

from django.contrib.auth.models import Group, Permission  # noqa: E402 - after django.setup()
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402

from registry.domain.reference import Reference, Tag  # noqa: E402
from registry.models import (  # noqa: E402
    Namespace,
    Policy,
    RequestKind,
    Role,
    Session,
    User,
    Version,
)
from registry.services.accounts import tokens  # noqa: E402
from registry.services.core import shipped_facts  # noqa: E402
from registry.services.core.permission_rules import Scope  # noqa: E402
from registry.services.core.permissions import Actor  # noqa: E402
from registry.services.kinds import kinds  # noqa: E402
from registry.services.namespaces import (  # noqa: E402
    members,
    namespaces,
    requests,
)
from registry.services.namespaces.requests import RequestTexts  # noqa: E402
from registry.services.operations import redaction, verify  # noqa: E402
from registry.services.proposals import review, submission  # noqa: E402
from registry.services.tags import aliases, deprecation, renaming  # noqa: E402
from registry.services.versions import publishing, yanking  # noqa: E402
from registry.services.versions.drafting import versions_of  # noqa: E402
from tests.publishing import trust_github  # noqa: E402
from tests.releases.state import state  # noqa: E402
from ttag_rules.version_number import VersionNumber  # noqa: E402

KINDS = (  # with all that these bodies use; all kinds would double the size
    *("llvm", "cuda", "c", "composite", "executor/aot", "executor/graph", "runtime/crt"),
    *("runtime/cpp", "flow", "hardware"),
)
REDACTED = "board-of-a-person"
BOARD = {
    "kind": "llvm",
    "mtriple": "x86_64-unknown-linux-gnu",
    "mcpu": "haswell",
    "num-cores": 4,
}


def main(folder: Path) -> None:
    """Fill a database with a history, and write it, its backup, and what 0.1 said of it."""
    call_command("migrate", verbosity=0)
    fill()
    findings = [str(finding) for finding in verify.verify()]
    assert findings == [], findings
    Session.objects.all().delete()
    redaction.erase_traces()
    folder.mkdir(parents=True, exist_ok=True)
    call_command("backup", str(folder / "backup.gz"))
    (folder / "expected.json").write_text(json.dumps(state(), indent=1) + "\n")
    write_database(folder / "registry.sqlite3.xz")


def fill() -> None:
    """Take every action that leaves rows."""
    alice, bob, carol = (User.objects.create_user(name) for name in ("alice", "bob", "carol"))
    User.objects.filter(pk=alice.pk).update(is_staff=True, is_superuser=True)
    alice, operator = User.objects.get(pk=alice.pk), Actor.operator(alice)
    reviewers = Group.objects.create(name="reviewers")
    reviewers.permissions.set(Permission.objects.filter(codename__endswith="_namespace"))
    bob.groups.add(reviewers)
    shipped = shipped_facts.kinds()
    for name in [name for name in shipped if name in KINDS]:
        kinds.revise_kind(name, shipped[name], actor=operator)
    acme = namespaces.create_namespace("acme", actor=operator, title="Größe Ⅳ")
    strict = namespaces.create_namespace("strict", actor=operator, title="Strict")
    for namespace, user, role in (
        (acme, alice, Role.OWNER),
        (acme, bob, Role.MEMBER),
        (acme, carol, Role.CURATOR),
        (strict, alice, Role.OWNER),
        (strict, carol, Role.CURATOR),
    ):
        members.grant_role(namespace, user, role, actor=operator)
    publish_versions(bob, operator)
    revise_a_kind(operator)
    publish("acme/late", {**BOARD, "mcpu": "znver3"}, bob)
    redact(bob, operator)
    wait_for_a_second_person(strict, alice)
    propose_bodies(alice, bob, carol)
    request_namespaces(bob, operator)
    save_draft(bob)
    for number, scopes in enumerate(({Scope.PUBLISH}, {Scope.PROPOSE, Scope.YANK})):
        tokens.issue_token(
            alice, label=f"token {number}", scopes=scopes, pattern="acme", actor=operator
        )
    trust_github(acme, Actor(alice))
    tokens.revoke_token(alice.tokens.latest("pk").prefix, actor=operator)


def publish(tag: str, body: object, user: User, message: str = "") -> Version:
    """Publish a body as an account, not as the operator."""
    history = versions_of(Tag.parse(tag))
    return publishing.publish(
        Tag.parse(tag),
        json.dumps(body),
        message=message,
        actor=Actor(user),
        expected=history[-1].number if history else None,
        sources=["https://example.org/data-sheet"],
    )


def publish_versions(user: User, operator: Actor) -> None:
    """Publish tags with several versions, parents and devices; yank, alias, rename, deprecate."""
    publish("acme/board", BOARD, user, 'A "first"\nline \\ two')
    publish("acme/board", {**BOARD, "num-cores": 8}, user)
    publish("acme/board", {**BOARD, "num-cores": 8, "mattr": ["+avx2"]}, user)
    publish("acme/child", {"tag": "acme/board@1", "num-cores": 2}, user)
    hardware = {"vendor": "Acme", "launched": "2015-03"}
    publish("acme/grandchild", {"tag": "acme/child", "mcpu": "skylake", "hardware": hardware}, user)
    publish("acme/gpu", {"kind": "cuda", "arch": "sm_87"}, user)
    publish("acme/pair", {"kind": "composite", "devices": ["acme/gpu", "acme/child"]}, user)
    publish("acme/cores", {"num-cores": 16}, user, "A mixin.")
    publish("acme/old", {**BOARD, "mcpu": "nehalem"}, user)
    publish("acme/typo", {**BOARD, "mcpu": "broadwell"}, user)
    for alias, reference in (("acme/newest", "acme/board"), ("acme/stable", "acme/board@1.0.0")):
        aliases.point_alias(alias, Reference.parse(reference), actor=operator)
    yanked = Reference.parse("acme/board@2.0.0")
    yanking.yank(yanked, reason="wrong figures", actor=operator)
    once = Reference.parse("acme/gpu@1.0.0")
    yanking.yank(once, reason="a mistake", actor=operator)
    yanking.unyank(once, reason="no mistake", actor=operator)
    renaming.rename_tag(
        Tag.parse("acme/typo"), Tag.parse("acme/right"), reason="a typo", actor=operator
    )
    deprecation.deprecate(
        Tag.parse("acme/old"), reason="sold out", actor=operator, successor=Tag.parse("acme/board")
    )


def revise_a_kind(operator: Actor) -> None:
    """Describe an option of a kind in other words."""
    schema = kinds.current_kinds().kinds["llvm"].source
    cores = {**schema["properties"]["num-cores"], "description": "Physical cores."}
    options = {**schema["properties"], "num-cores": cores}
    kinds.revise_kind("llvm", {**schema, "properties": options}, actor=operator)


def redact(user: User, operator: Actor) -> None:
    """Publish a text in a target, and remove it."""
    publish("acme/private", {**BOARD, "hardware": {"model": REDACTED}}, user, f"of {REDACTED}")
    redaction.redact(REDACTED, reason="personal", actor=operator)


def wait_for_a_second_person(namespace: Namespace, user: User) -> None:
    """Leave a change under four-eyes unconfirmed."""
    publish("strict/board", {**BOARD, "mcpu": "cascadelake"}, user)
    namespaces.set_policy(namespace, Policy.FOUR_EYES, actor=Actor(user))
    aliases.point_alias("strict/stable", Reference.parse("strict/board@1.0.0"), actor=Actor(user))


def propose_bodies(alice: User, bob: User, carol: User) -> None:
    """Leave a proposal in each state, with turns of each action."""

    def propose(tag: str, cores: int, base: VersionNumber | None = None) -> int:
        return submission.propose(
            Tag.parse(tag),
            json.dumps({**BOARD, "mcpu": "icelake-server", "num-cores": cores}),
            message='"why"',
            base=base,
            actor=Actor(bob),
        ).pk

    accepted = propose("acme/proposed", 4)
    review.comment(accepted, text="Größe \\ two\nlines", actor=Actor(alice))
    review.accept(accepted, seen=1, actor=Actor(carol), text="Thanks")
    waiting = propose("acme/waiting", 6)
    review.request_changes(waiting, seen=1, text="How many cores?", actor=Actor(carol))
    revised = propose("acme/revised", 8)
    review.request_changes(revised, seen=1, text="Which?", actor=Actor(carol))
    submission.revise(
        revised,
        json.dumps({**BOARD, "mcpu": "icelake-server", "num-cores": 9}),
        message="nine",
        base=None,
        seen=1,
        actor=Actor(bob),
        text="Nine",
    )
    rejected, withdrawn = propose("acme/rejected", 10), propose("acme/withdrawn", 12)
    review.reject(rejected, seen=1, text="No", actor=Actor(carol))
    review.withdraw(withdrawn, text="Never mind", actor=Actor(bob))


def request_namespaces(user: User, operator: Actor) -> None:
    """Leave an open request, an accepted and a rejected one."""
    texts = {"title": "Initech", "url": "https://initech.example/", "reason": "Our boards."}
    evidence = {"evidence": "See https://initech.example/registry.txt"}
    numbers = [
        requests.submit(
            RequestKind.NEW, RequestTexts(name=name, **texts, **evidence), actor=Actor(user)
        ).pk
        for name in ("wanted", "granted", "unwanted")
    ]
    requests.accept(numbers[1], actor=operator)
    requests.reject(numbers[2], text="Why?", actor=operator)


def save_draft(user: User) -> None:
    """Save drafts with the button of the form: in its fields, as JSON, and of a revision."""
    client = Client(headers={"host": "localhost"})
    client.force_login(user)
    in_fields = {"mode": "fields", "role": "kind", "start_kind": "llvm", "f:/mcpu": "haswell"}
    as_json = {"mode": "json", "role": "", "start_kind": "", "body": '{"kind": "ll'}
    revision = {**as_json, "body": json.dumps(BOARD), "proposal": "2", "seen": "1", "text": "Four"}
    drafts = {"acme/in-fields": in_fields, "acme/as-json": as_json, "acme/waiting": revision}
    for tag, body in drafts.items():
        form = {"tag": tag, "base": "", "message": "Größe", "sources": "", "do": "save", **body}
        response = client.post("/submit", form)
        assert response.status_code == 302, response.content


def write_database(path: Path) -> None:
    """Write the database as one compressed file, without a write-ahead log beside it."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    source = Path(VAR.name) / "registry.sqlite3"
    assert REDACTED.encode() not in source.read_bytes()
    path.write_bytes(lzma.compress(source.read_bytes(), preset=9 | lzma.PRESET_EXTREME))
    assert REDACTED.encode() not in gzip.decompress((path.parent / "backup.gz").read_bytes())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
