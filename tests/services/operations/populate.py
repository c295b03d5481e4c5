"""Create a row in every table of a backup; run as a module. Prints a token."""

import os
import sys
from datetime import UTC, datetime

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
django.setup()

from allauth.account.models import EmailAddress  # noqa: E402 - after django.setup()
from allauth.mfa.models import Authenticator  # noqa: E402
from allauth.socialaccount.models import SocialAccount  # noqa: E402
from django.conf import settings  # noqa: E402
from django.contrib.auth.models import Group, Permission  # noqa: E402 - after django.setup()

from registry.domain.notices import MailTime, NoticeKind  # noqa: E402
from registry.domain.reference import Reference, Tag  # noqa: E402
from registry.models import (  # noqa: E402
    Namespace,
    Notice,
    NoticeMail,
    Role,
    User,
    WebhookDelivery,
)
from registry.services.accounts import recovery, tokens  # noqa: E402
from registry.services.core import shipped_facts  # noqa: E402
from registry.services.core.permission_rules import Scope  # noqa: E402
from registry.services.core.permissions import Actor  # noqa: E402
from registry.services.event_log import forks  # noqa: E402
from registry.services.kinds import kinds  # noqa: E402
from registry.services.namespaces import (  # noqa: E402
    discussion,
    members,
    namespaces,
    readmes,
    requests,
)
from registry.services.notices import (  # noqa: E402
    feed_addresses,
    mail_choices,
    reader,
    watching,
)
from registry.services.proposals import review, saved_drafts  # noqa: E402
from registry.services.tags import aliases, deprecation  # noqa: E402
from registry.services.webhooks import events, registration  # noqa: E402
from tests.publishing import chain, propose, publish, trust_github, yank  # noqa: E402
from tests.requests import request_namespace  # noqa: E402

PASSWORD = "correct horse battery staple"


def main() -> None:
    settings.ADDRESS = "https://registry.example.org"  # without one, no publisher is trusted
    alice = User.objects.create_superuser("alice", "alice@example.org", PASSWORD)
    alice.last_login = datetime(2026, 11, 20, 12, 0, 0, 123456, tzinfo=UTC)
    alice.save()
    staff = Group.objects.create(name="reviewers")
    staff.permissions.set(Permission.objects.filter(codename__endswith="_namespace"))
    alice.groups.add(staff)
    alice.user_permissions.set(Permission.objects.filter(codename="view_event"))
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    recovery.make_key(actor=Actor.operator(alice))
    Authenticator.objects.create(user=alice, type=Authenticator.Type.TOTP, data={"secret": "x"})
    SocialAccount.objects.create(user=alice, provider="https://id.example.org", uid="248")
    for name, schema in shipped_facts.kinds().items():
        kinds.revise_kind(name, schema, actor=Actor.operator(alice))
    acme = namespaces.create_namespace(
        "acme", actor=Actor.operator(alice), title="Größe Ⅳ\N{GREEK SMALL LETTER PI}"
    )
    members.grant_role(acme, alice, Role.OWNER, actor=Actor.operator(alice))
    readmes.write(acme, text="# Größe\n\n\\ <b>", seen=0, actor=Actor.operator(alice))
    tell_news(acme, alice)
    publish_everything(alice)
    trust_github(acme, Actor.operator(alice))
    sys.stdout.write(
        tokens.issue_token(
            alice, label="ci", scopes={Scope.PUBLISH}, pattern="acme", actor=Actor.operator(alice)
        )
    )


def tell_news(acme: Namespace, alice: User) -> None:
    """Let Nora watch acme by every way, with news of which some wait to be mailed or read."""
    settings.SENDS_MAIL = True
    nora = User.objects.create_user("nora", "nora@example.org")
    EmailAddress.objects.create(user=nora, email=nora.email, verified=True, primary=True)
    watching.watch("acme", actor=Actor.operator(nora))
    mail_choices.choose_times({NoticeKind.WATCHED: MailTime.AT_ONCE}, actor=Actor.operator(nora))
    feed_addresses.renew(actor=Actor.operator(nora))
    registration.add_webhook(acme, url="https://hooks.example.org/", actor=Actor.operator(alice))
    publish("acme/news", {"kind": "c", "mcpu": "news"})
    for read in (reader.read_events, events.read_events):
        while read():
            pass
    assert Notice.objects.exists()
    assert NoticeMail.objects.exists()
    assert WebhookDelivery.objects.exists()


def publish_everything(alice: User) -> None:
    chain(4)
    publish("acme/board", {"kind": "llvm", "mcpu": "haswell"}, message='A "first"\nline\\ two')
    publish("acme/board", {"kind": "llvm", "mcpu": "haswell", "num-cores": 4})
    publish("acme/pair", {"kind": "composite", "devices": ["acme/board@1", "acme/link-3"]})
    aliases.point_alias(
        "acme/Board,1", Reference.parse("acme/board@1.0.0"), actor=Actor.operator(alice)
    )
    yank("acme/board@1.0.0")
    publish("acme/line", {"kind": "c"})
    publish("acme/line", {"kind": "c", "host": {"kind": "c", "mcpu": "a"}})
    yank("acme/line@1.1.0", "no such host")  # the next one lacks its records
    publish("acme/line", {"kind": "c", "host": {"kind": "c", "mcpu": "b"}})
    review_everything(alice)
    board = Tag.parse("acme/board")
    deprecation.deprecate(
        board, reason="sold out", actor=Actor.operator(alice), successor=Tag.parse("acme/pair")
    )
    assert Namespace.objects.count() == 1
    forks.fork(reason="the disk failed", despite_no_loss=True, actor=Actor.operator(alice))


def review_everything(alice: User) -> None:
    accepted = propose("acme/proposed", {"kind": "llvm", "mcpu": "haswell"}, key="once")
    review.accept(accepted.pk, seen=1, actor=Actor.operator(alice), text="Größe \\ two\nlines")
    waiting = propose("acme/waiting", {"kind": "llvm", "num-cores": 3}, message='"why"')
    review.request_changes(waiting.pk, seen=1, text="Which?", actor=Actor.operator(alice))
    wanted = request_namespace("wanted", alice, reason="Größe \\ two\nlines")
    discussion.comment(wanted.pk, text="Größe \\ two\nlines", actor=Actor.operator(alice))
    rejected = request_namespace("unwanted", alice)
    requests.reject(rejected.pk, text="Why?", actor=Actor.operator(alice))
    saved_drafts.save_draft(
        {"target": ['{"kind": "ll']}, actor=Actor.operator(alice), tag="acme/b", proposal=waiting
    )


if __name__ == "__main__":
    main()
