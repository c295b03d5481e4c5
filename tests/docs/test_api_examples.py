"""Every request of docs/api.md is sent, and its answer compared with the one shown."""

import pytest

from registry.models import Namespace, User
from registry.services import tokens
from registry.services.permissions import Actor, Scope
from tests.docs import exchange, markdown
from tests.docs.markdown import Section

SECTIONS = [found for found in markdown.sections(markdown.read("docs/api.md")) if found.blocks]


@pytest.fixture
def token(acme: Namespace, alice: User) -> str:
    return tokens.issue(
        alice, label="docs", scopes=set(Scope), pattern="acme", actor=Actor.operator(alice)
    )


@pytest.mark.django_db
@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.title)
def test_examples(section: Section, token: str) -> None:
    texts = [block.text for block in section.blocks if block.language == "http"]
    assert len(texts) == len(section.blocks), "every block is a request or an answer"
    assert len(texts) % 2 == 0, "each request has an answer"
    for asked, shown in zip(texts[::2], texts[1::2], strict=True):
        answer = exchange.of_http(asked).send(token)
        found = exchange.differences(shown, answer)
        assert not found, "\n".join([asked.splitlines()[0], *found])
