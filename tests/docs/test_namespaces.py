"""The policy for namespaces: the page on the site has the words of the document."""

import html
import re

import pytest
from django.test import Client

from registry.domain.namespace_names import MAX_NAMESPACE, RESERVED
from registry.services.namespaces.requests import MAX_OPEN
from tests.docs import markdown

DOCUMENT = markdown.read_document("docs/namespaces.md")
NUMBERS = {5: "five"}


def words(text: str) -> list[str]:
    return re.findall(r"[\w./'-]+", text)


@pytest.mark.django_db
def test_page_has_the_words_of_the_document(client: Client) -> None:
    page = client.get("/policies/namespaces").content.decode()
    main = page.partition('<main id="content"')[2].partition(">")[2].partition("</main>")[0]
    text = html.unescape(re.sub(r"<[^>]*>", "", main))
    assert words(text) == words(re.sub(r"^(#+|-) |`", "", DOCUMENT, flags=re.MULTILINE))


def test_limit_of_open_requests_is_stated() -> None:
    assert f"{NUMBERS[MAX_OPEN]} open requests" in " ".join(DOCUMENT.split())


def test_examples_of_reserved_names_are_reserved() -> None:
    examples = markdown.section("docs/namespaces.md", "Reserved names").text
    names = set(markdown.code_spans(examples)) - {"registry/domain/namespace_names.py"}
    assert {name for name in names if len(name) <= MAX_NAMESPACE} - RESERVED == {"cuda", "llvm"}
