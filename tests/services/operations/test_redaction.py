"""Redaction removes a text everywhere and keeps the registry consistent."""

import json
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.apps import apps
from django.db import IntegrityError, connection, models, transaction

from registry.domain.document import digest
from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag
from registry.models import (
    Entry,
    Event,
    KindRevision,
    Name,
    Namespace,
    NamespaceRequest,
    Token,
    User,
    Version,
    Webhook,
    Withdrawal,
    triggers,
)
from registry.services.accounts import tokens
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from registry.services.kinds import kinds
from registry.services.namespaces import namespaces, requests
from registry.services.operations import redaction, text_columns, verify
from registry.services.proposals import review, saved_drafts
from registry.services.tags import aliases, deprecation
from registry.services.versions import resolving
from tests.publishing import propose, publish, yank
from tests.requests import request_namespace
from tests.services.operations.redacted_text import BOARD, SECRET, redact, stored
from tests.services.operations.tampering import tamper

pytestmark = pytest.mark.usefixtures("acme")


def test_every_text_column_is_classified() -> None:
    derived = {"Entry", "Attribute", "Posting", "Term", "TermGram", "LintReport"}
    derived |= {"Total", "ValueTotal", "GroupTotal"}
    without_user_text = {"auth.Permission", "contenttypes.ContentType", "registry.Session"}
    without_user_text |= {"registry.PendingChange"}  # names and policies
    without_user_text |= {"registry.RecentUsage", "registry.AnswerChange"}  # names of tags
    existing = {
        model._meta.label: {
            field.name
            for field in model._meta.concrete_fields
            if isinstance(field, models.CharField | models.TextField | models.JSONField)
        }
        for model in apps.get_models()
        if model.__name__ not in derived and model._meta.label not in without_user_text
    }
    classified = {label: set(columns) for label, columns in text_columns.COLUMNS.items()}
    assert classified == {label: columns for label, columns in existing.items() if columns}, (
        "state in COLUMN_NAMES of registry/services/operations/text_columns.py what the column "
        "contains, or, if no column of a table has text that people wrote, list the table in this "
        "test"
    )


def test_text_is_removed_from_proposals_and_drafts(alice: User) -> None:
    body = {"kind": "llvm", "hardware": {"model": SECRET}}
    proposal = propose("acme/board", body, message=f"by {SECRET}", key=f"1-{SECRET}"[:36])
    review.comment(proposal.pk, text=f"{SECRET}?", actor=Actor.operator(alice))
    saved_drafts.save_draft(
        {"target": [f'"{SECRET}']}, actor=Actor.operator(alice), tag=SECRET, proposal=proposal
    )
    redact(SECRET, alice)
    assert SECRET not in "".join(stored())
    assert list(verify.verify()) == []


def test_text_is_removed_from_requests_for_namespaces(alice: User) -> None:
    texts = dict.fromkeys(("title", "reason", "evidence"), f"x {SECRET}")
    url = f"https://initech.example/{SECRET}"
    request = request_namespace("initech", alice, url=url, **texts)
    requests.reject(request.pk, text=f"{SECRET}?", actor=Actor.operator(alice))
    redact(SECRET, alice)
    assert SECRET not in "".join(stored())
    assert NamespaceRequest.objects.get().decision == "[redacted]?"
    assert list(verify.verify()) == []


def test_text_is_removed_from_all_user_text(alice: User) -> None:
    namespaces.create_namespace(
        "initech", actor=Actor.operator(alice), title=f"Inc {SECRET}", description=SECRET
    )
    tokens.issue_token(
        alice,
        label=f"ci {SECRET}",
        scopes={Scope.YANK},
        pattern="acme",
        actor=Actor.operator(alice),
    )
    publish("acme/board", BOARD, message=f"the password is {SECRET}, or {SECRET}!")
    yank("acme/board@1.0.0", reason=f"{SECRET} was in it")
    board = Tag.parse("acme/board")
    deprecation.deprecate(board, reason=f'"{SECRET}"', actor=Actor.operator(alice))
    result = redact(SECRET, alice)
    assert SECRET not in "".join(stored())
    message = "the password is [redacted], or [redacted]!"
    assert Version.objects.get(tag__text="acme/board").message == message
    assert Namespace.objects.get(name="initech").title == "Inc [redacted]"
    assert Token.objects.get().label == "ci [redacted]"
    assert Withdrawal.objects.get().reason == "[redacted] was in it"
    events = Event.objects.filter(action="version.yanked")
    assert json.loads(events.get().detail)["reason"] == "[redacted] was in it"
    assert result.yanked == [], "no target has changed"
    assert list(map(str, verify.verify())) == []


def test_event_has_rows_and_reason_but_not_the_text(alice: User) -> None:
    version = publish("acme/board", BOARD, message=SECRET)
    event = redact(SECRET, alice, "somebody's password").event
    assert (event.action, event.actor) == ("text.redacted", alice)
    assert json.loads(event.detail) == {
        "reason": "somebody's password",
        "rows": {"registry.version": [version.pk]},
        "digests": {},
    }


def test_changed_target_gets_a_new_digest_and_is_yanked(alice: User) -> None:
    publish("acme/board", BOARD)
    old = publish("acme/board", {**BOARD, "model": f"x-{SECRET}"})
    child = publish("acme/child", {"tag": "acme/board", "num-cores": 4})
    other = publish("acme/other", {"tag": "acme/board", "model": "own"})
    result = redact(SECRET, alice)
    new = Version.objects.get(pk=old.pk)
    assert json.loads(new.target)["model"] == "x-[redacted]"
    assert (new.digest, new.size) == (digest(new.target.encode()), len(new.target.encode()))
    assert new.digest != old.digest
    assert sorted(result.yanked) == ["acme/board@2.0.0", "acme/child@1.0.0"]
    assert Version.objects.get(pk=other.pk).target == other.target
    redacted = Version.objects.get(pk=child.pk)
    assert json.loads(result.event.detail)["digests"] == {
        old.digest: new.digest,
        child.digest: redacted.digest,
    }
    assert list(map(str, verify.verify())) == []


def test_old_digest_no_longer_resolves(alice: User) -> None:
    publish("acme/board", BOARD)
    old = publish("acme/board", {**BOARD, "model": SECRET})
    redact(SECRET, alice)
    with pytest.raises(Refused) as refused:
        resolving.find_target(old.digest)
    assert refused.value.code == Code.DIGEST_UNKNOWN
    with pytest.raises(Refused) as refused:
        resolving.resolve(Reference.parse(f"acme/board@{old.digest}"))
    assert refused.value.code == Code.VERSION_UNKNOWN
    resolved = resolving.resolve(Reference.parse("acme/board@2.0.0"))
    assert digest(resolved.version.target.encode()) == resolved.version.digest
    assert resolved.status == "yanked"
    assert "Redacted: a password" in resolved.warnings[0].message
    assert resolving.resolve(Reference.parse("acme/board")).exact == "acme/board@1.0.0"


def test_search_no_longer_finds_the_text(alice: User) -> None:
    publish("acme/board", {**BOARD, "model": SECRET})
    attributes = apps.get_model("registry", "Attribute").objects.filter(text__contains=SECRET)
    assert attributes.count() == 1
    redact(SECRET, alice)
    assert attributes.count() == 0
    assert Entry.objects.get(text="acme/board").status == "yanked"


def test_vocabulary_of_search_forgets_the_text(alice: User) -> None:
    """Search completes no word that no tag has, but the table would keep it."""
    publish("acme/board", {**BOARD, "model": f"{SECRET} two"})
    publish("acme/other", {**BOARD, "model": "two"})
    rows = {name: apps.get_model("registry", name).objects for name in ("Term", "TermGram")}
    columns = {"Term": "text", "TermGram": "term"}

    def counts(word: str) -> list[int]:
        return [rows[name].filter(**{columns[name]: word}).count() for name in rows]

    others = counts("board")
    assert all(counts(SECRET))
    redact(SECRET, alice)
    assert counts(SECRET) == [0, 0]
    assert counts("board") == others
    assert list(map(str, verify.verify())) == []


@pytest.mark.parametrize("text", ["bob@example.org", "Bob@Example.org", "bob@"])
def test_address_is_removed_as_a_whole(alice: User, text: str) -> None:
    """Half of one would be mailed to, and no two accounts can have the same."""
    for name in ("bob", "carol", "dan"):
        user = User.objects.create_user(name, email=f"{name}@example.org")
        address = {"email": user.email, "verified": True, "primary": True}
        EmailAddress.objects.create(user=user, **address)
    result = redact(text, alice)
    assert not any("bob@example" in str(place) for place in result.places)
    redact("carol@example.org", alice)
    assert [row.email for row in EmailAddress.objects.all()] == ["dan@example.org"]
    assert [user.email for user in User.objects.exclude(email="")] == ["dan@example.org"]
    assert list(verify.verify()) == []


def test_webhook_goes_with_its_address(alice: User, acme: Namespace) -> None:
    for host in ("one", "two", "three"):
        url = f"https://{host}.example/{SECRET if host != 'three' else ''}"
        Webhook.objects.create(namespace=acme, url=url, secret="sealed", registrar=alice)
    redact(SECRET, alice)
    assert [webhook.url for webhook in Webhook.objects.all()] == ["https://three.example/"]


def test_identity_goes_with_its_subject_but_not_with_its_label(alice: User) -> None:
    rows = SocialAccount.objects
    first = rows.create(user=alice, provider="p", uid=f"1 {SECRET}", extra_data={"label": "x"})
    second = rows.create(user=alice, provider="p", uid="2", extra_data={"label": f"I {SECRET}"})
    redact(SECRET, alice)
    assert not rows.filter(pk=first.pk).exists()
    assert rows.get(pk=second.pk).extra_data == {"label": "I [redacted]"}


def test_name_of_a_passkey_is_redacted_but_not_its_credential(alice: User) -> None:
    data = {"name": f"{SECRET} key", "credential": {"id": SECRET}}
    passkey = Authenticator.objects.create(user=alice, type="webauthn", data=data)
    Authenticator.objects.create(user=alice, type="totp", data={})
    redact(SECRET, alice)
    passkey.refresh_from_db()
    assert passkey.data == {"name": "[redacted] key", "credential": {"id": SECRET}}


def test_yanked_version_is_not_yanked_again(alice: User) -> None:
    publish("acme/board", {**BOARD, "model": SECRET})
    yank("acme/board@1.0.0")
    assert redact(SECRET, alice).yanked == []
    assert Withdrawal.objects.count() == 1
    assert list(map(str, verify.verify())) == []


def test_alias_of_a_digest_gets_the_new_digest(alice: User) -> None:
    version = publish("acme/board", {**BOARD, "model": SECRET})
    pinned = Reference.parse(f"acme/board@{version.digest}")
    aliases.point_alias("acme/Board", pinned, actor=Actor.operator(alice))
    redact(SECRET, alice)
    assert resolving.resolve(Reference.parse("acme/Board")).exact == "acme/board@1.0.0"
    assert Name.objects.get(text="acme/Board").digest != version.digest


def test_escaped_text_is_redacted_and_the_rest_is_unchanged(alice: User) -> None:
    source = '{ "kind":"llvm",\n  "mcpu" : "haswell", "num-cores": 4, "model": "\\u0068unter2" }'
    publish("acme/board", source)
    redact(SECRET, alice)
    version = Version.objects.get(tag__text="acme/board")
    assert version.source == source.replace('"\\u0068unter2"', '"[redacted]"')
    assert json.loads(version.target)["model"] == "[redacted]"


def test_text_with_quotes_and_non_ascii_letters_is_redacted(alice: User) -> None:
    text = 'Grüße "von"\\Ⅳ'
    publish("acme/board", BOARD, message=f"({text})")
    yank("acme/board@1.0.0", reason=text)
    redact(text, alice)
    assert Version.objects.get(tag__text="acme/board").message == "([redacted])"
    assert "von" not in Event.objects.get(action="version.yanked").detail


def test_redacting_the_source_only_does_not_change_the_target(alice: User) -> None:
    publish("acme/board", {**BOARD, "libs": [SECRET]})
    publish("acme/child", {"tag": "acme/board", "libs": {"$remove": [SECRET]}})
    result = redact(SECRET, alice)
    assert result.yanked == ["acme/board@1.0.0"]
    child = Version.objects.get(tag__text="acme/child")
    assert json.loads(child.source)["libs"] == {"$remove": ["[redacted]"]}
    assert list(map(str, verify.verify())) == []


def test_verify_finds_other_changes_of_a_redacted_version(alice: User) -> None:
    publish("acme/board", {**BOARD, "model": SECRET})
    redact(SECRET, alice)
    tamper("UPDATE registry_version SET target = replace(target, 'redacted', 'hidden99')")
    lines = list(map(str, verify.verify()))
    assert any("digest is" in line for line in lines)


def test_verify_finds_a_malformed_tuning_key_of_a_redacted_version(alice: User) -> None:
    publish("acme/board", {**BOARD, "model": SECRET})
    redact(SECRET, alice)
    assert list(verify.verify()) == []
    tamper("UPDATE registry_version SET tuning_keys = replace(tuning_keys, 'tk1:', 'key:')")
    lines = list(map(str, verify.verify()))
    assert any("expected tk1: and 64 hex digits, at leaves" in line for line in lines)


def test_kind_keeps_its_schema_without_the_text(alice: User) -> None:
    (llvm,) = KindRevision.objects.filter(kind__name="llvm")
    source = json.loads(llvm.source)
    source["description"] = f"Ask {SECRET} about it."
    kinds.revise_kind("llvm", source, actor=Actor.operator(alice))
    redact(SECRET, alice)
    newest = KindRevision.objects.get(kind__name="llvm", number=2)
    assert json.loads(newest.source)["description"] == "Ask [redacted] about it."
    assert newest.digest == digest(newest.source.encode())
    assert kinds.find_kind("llvm").source["description"] == "Ask [redacted] about it."
    assert list(map(str, verify.verify())) == []


@pytest.mark.parametrize(
    "statement",
    ["UPDATE registry_version SET message = ''", "UPDATE registry_event SET detail = '{}'"],
)
def test_triggers_are_restored_afterwards(alice: User, statement: str) -> None:
    publish("acme/board", {**BOARD, "model": SECRET}, message=SECRET)
    redact(SECRET, alice)
    assert triggers.missing() == []
    refused = pytest.raises(IntegrityError, match="cannot be changed")
    with refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_failed_redaction_changes_nothing(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    publish("acme/board", {**BOARD, "model": SECRET}, message=SECRET)
    before = stored()

    def fail(*_args: Any, **_options: Any) -> None:
        raise RuntimeError("failed")

    monkeypatch.setattr(redaction, "append_event", fail)
    with pytest.raises(RuntimeError, match="failed"):
        redact(SECRET, alice)
    assert stored() == before
    assert triggers.missing() == []


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("abcd" * 20, "[…]" * 20),
        (f"{'x' * 75} abcd", f"{'x' * 75} […]"),
        (f"abcd{'x' * 75}", f"[…]{'x' * 75}"),
        (f"{'x' * 70}abcd", f"{'x' * 70}[redacted]"),
        ("abcd" * 8, "[redacted]" * 8),
        ("abc" * 25, "abc" * 25),
    ],
)
def test_nothing_of_a_text_that_fills_its_column_is_lost(
    alice: User, label: str, expected: str
) -> None:
    tokens.issue_token(
        alice, label=label, scopes={Scope.YANK}, pattern="acme", actor=Actor.operator(alice)
    )
    publish("acme/board", BOARD, message="abcd is in another place, too")
    redact("abcd", alice)
    assert Token.objects.get().label == expected


def test_only_plain_texts_have_a_limit_that_a_redaction_could_reach() -> None:
    limited = {
        (label, column): content
        for label, columns in text_columns.COLUMNS.items()
        for column, content in columns.items()
        if content in text_columns.REWRITES
        and apps.get_model(label)._meta.get_field(column).max_length
    }
    assert set(limited.values()) == {text_columns.TEXT}
    assert len(text_columns.SHORT_MARK) <= redaction.MIN_TEXT
