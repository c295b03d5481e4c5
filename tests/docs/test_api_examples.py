"""All examples of docs/api.md, sent to the application and compared with its responses."""

import pytest

from registry.models import Namespace, TrustedPublisher, User
from registry.services.accounts import tokens
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from tests.docs import exchange, markdown
from tests.docs.markdown import Section
from tests.issuers import Issuer
from tests.requests import request_namespace
from tests.trusted_publisher import issuer, publisher

__all__ = ["issuer", "publisher"]  # fixtures

SECTIONS = [
    section
    for section in markdown.sections(markdown.read_document("docs/api.md"))
    if section.blocks
]


@pytest.fixture
def token(acme: Namespace, alice: User) -> str:
    return tokens.issue_token(
        alice, label="docs", scopes=set(Scope), pattern="acme", actor=Actor.operator(alice)
    )


@pytest.fixture
def proposing_token(alice: User) -> str:
    """Return a token that can propose under any name, and nothing else."""
    return tokens.issue_token(
        alice, label="all", scopes={Scope.PROPOSE}, pattern="*", actor=Actor.operator(alice)
    )


@pytest.fixture
def requested(alice: User) -> None:
    """Make the request for a namespace that examples show: the API cannot."""
    request_namespace("initech", alice)


@pytest.fixture
def identity_token(issuer: Issuer, publisher: TrustedPublisher) -> str:
    """Return an identity token of a job that acme trusts."""
    return issuer.token()


@pytest.mark.django_db
@pytest.mark.usefixtures("requested")
@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.title)
def test_examples_match_responses(
    section: Section, token: str, proposing_token: str, request: pytest.FixtureRequest
) -> None:
    texts = [block.text for block in section.blocks if block.language == "http"]
    assert len(texts) == len(section.blocks), "every block is a request or a response"
    assert len(texts) % 2 == 0, "every request has a response"
    needs_identity = any("$IDENTITY_TOKEN" in text for text in texts)
    identity_token = request.getfixturevalue("identity_token") if needs_identity else ""
    for text, example in zip(texts[::2], texts[1::2], strict=True):
        response = exchange.parse_http(text).send(token, identity_token, proposing_token)
        messages = exchange.response_differences(example, response)
        assert not messages, "\n".join([text.splitlines()[0], *messages])
