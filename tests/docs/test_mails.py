"""docs/architecture.md lists every kind of mail that this registry sends."""

import re
from pathlib import Path
from types import ModuleType

import allauth

import registry
from registry.services.accounts import password_resets
from registry.services.notices import mailing
from tests.docs import markdown

PREFIX = re.compile(r'"((?:account|mfa|socialaccount)/email/\w+)"')
UNSENT = {
    "account/email/login_code": "nobody signs in by a code that is mailed",
    "account/email/password_reset_code": "resets are links",
    "account/email/unknown_account": "no mail goes to addresses without an account",
}


def prefixes_in(package: ModuleType) -> set[str]:
    assert package.__file__
    sources = Path(package.__file__).parent.rglob("*.py")
    return {prefix for source in sources for prefix in PREFIX.findall(source.read_text())}


def test_every_kind_of_mail_has_a_row() -> None:
    section = markdown.read_document("docs/architecture.md").partition("\n## Mail\n")[2]
    rows = markdown.rows(section.partition("\n## ")[0])
    kinds = [kind for row in rows for kind in re.findall(r"`(\w+)`", row[0])]
    prefixes = (prefixes_in(allauth) | prefixes_in(registry)) - UNSENT.keys()
    sent = {prefix.rpartition("/")[2] for prefix in prefixes}
    assert sorted(kinds) == sorted({*sent, mailing.KIND, password_resets.KIND})


def test_unsent_mails_are_those_of_allauth() -> None:
    assert UNSENT.keys() <= prefixes_in(allauth)
