"""The commands of the guides produce the output that these show."""

import re

import pytest

from registry.models import Namespace, User
from registry.services.accounts import tokens
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from registry.web.documents.documents import DOCUMENTS
from registry.web.versions.sections import SECTIONS
from tests.docs import markdown
from tests.docs.commands import Reader
from tests.docs.markdown import ROOT

EMPHASIZED = re.compile(r"(?<!\*)\*([A-Z][\w ]+)\*(?!\*)")  # names of tabs and headings


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "count"), [("quick-start", 11), ("concepts", 2)])
def test_commands_produce_their_output(name: str, count: int, acme: Namespace, alice: User) -> None:
    token = tokens.issue_token(
        alice, label="docs", scopes={Scope.PUBLISH}, pattern="acme", actor=Actor.operator(alice)
    )
    reader = Reader(token)
    page = markdown.read_document(f"docs/{name}.md")
    reader.run_all(page)
    assert reader.count == count == len(re.findall("^(?:curl|export) ", page, re.MULTILINE))


@pytest.mark.parametrize("document", [it.source for it in DOCUMENTS])
def test_mentioned_parts_of_pages_exist(document: str) -> None:
    templates = "".join(path.read_text() for path in (ROOT / "templates").rglob("*.html"))
    for name in EMPHASIZED.findall(markdown.prose(markdown.read_document(document))):
        assert name in SECTIONS.values() or f">{name}<" in templates, name
