"""docs/namespaces.md states the rules that the code enforces."""

from registry.domain.names.namespace_names import MAX_NAMESPACE, RESERVED
from registry.services.namespaces.requests import MAX_OPEN
from tests.docs import markdown

DOCUMENT = markdown.read_document("docs/namespaces.md")
NUMBERS = {5: "five"}


def test_limit_of_open_requests_is_stated() -> None:
    assert f"{NUMBERS[MAX_OPEN]} open requests" in " ".join(DOCUMENT.split())


def test_examples_of_reserved_names_are_reserved() -> None:
    examples = markdown.section("docs/namespaces.md", "Reserved names").text
    names = set(markdown.code_spans(examples)) - {"registry/domain/names/namespace_names.py"}
    assert {name for name in names if len(name) <= MAX_NAMESPACE} - RESERVED == {"cuda", "llvm"}
