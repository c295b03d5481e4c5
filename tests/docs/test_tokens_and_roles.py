"""The table of docs/api.md that says who may do what is the one of the code."""

from registry.services.permissions import RULES, Rule
from tests.docs import markdown

ROWS = markdown.section("docs/api.md", "Tokens and roles").rows


def shown(rule: Rule) -> tuple[set[str], set[str]]:
    """The words of the columns for the scope and for people."""
    scope = {str(rule.scope)} if rule.scope else set()
    return scope | (set() if rule.may else {"*"}), set(rule.may)


def test_table_is_that_of_the_code() -> None:
    found = {
        action: (set(markdown.words(scope)), set(markdown.words(who)))
        for action, scope, who in ROWS
    }
    assert found == {str(action): shown(rule) for action, rule in RULES.items()}
