"""The table of permissions in docs/api.md matches the code."""

from registry.services.core.permission_rules import RULES, Rule
from tests.docs import markdown

ROWS = markdown.section("docs/api.md", "Tokens and roles").rows


def columns(rule: Rule) -> tuple[set[str], set[str]]:
    """Return the code spans expected in the columns for scopes and for people."""
    scope = {str(rule.scope)} if rule.scope else set()
    is_unlimited = rule.scope and not rule.roles
    return scope | ({"*"} if is_unlimited else set()), set(rule.roles)


def test_table_matches_the_code() -> None:
    documented = {
        action: (set(markdown.code_spans(scope)), set(markdown.code_spans(who)))
        for action, scope, who in ROWS
    }
    assert documented == {str(action): columns(rule) for action, rule in RULES.items()}
