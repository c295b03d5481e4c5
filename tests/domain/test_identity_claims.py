"""Claims by which namespaces recognise CI jobs."""

import pytest
from hypothesis import given, strategies as st

from registry.domain.identity_claims import (
    GITHUB,
    claim_faults,
    claims_match,
    claims_text,
    is_trustworthy,
    project_of,
)

WORKFLOW = "acme/targets/.github/workflows/publish.yml"
TEXTS = st.dictionaries(st.text(max_size=9), st.text(max_size=9), max_size=4)


@pytest.mark.parametrize(
    ("required", "actual", "matches"),
    [
        ("acme/targets", "acme/targets", True),
        ("acme/targets", "ACME/targets", False),
        ("acme/targets", "acme/targets2", False),
        ("42", 42, False),
        ("true", True, False),
        (f"{WORKFLOW}@*", f"{WORKFLOW}@refs/heads/main", True),
        (f"{WORKFLOW}@*", f"{WORKFLOW}@", True),
        (f"{WORKFLOW}@*", f"{WORKFLOW}.evil@refs/heads/main", False),
        (f"{WORKFLOW}@*", WORKFLOW, False),
        ("a*", "ab", False),
        ("", None, False),
    ],
)
def test_value_matches_itself_or_any_ref(required: str, actual: object, matches: bool) -> None:
    assert claims_match({"x": required}, {"x": actual}) is matches


@given(required=TEXTS, others=TEXTS)
def test_further_claims_change_nothing(required: dict[str, str], others: dict[str, str]) -> None:
    assert claims_match(required, {**others, **required})


@given(claims=TEXTS)
def test_order_of_claims_changes_nothing(claims: dict[str, str]) -> None:
    assert claims_text(claims) == claims_text(dict(reversed(claims.items())))


def test_first_required_claim_names_the_project() -> None:
    claims = {"repository": "acme/targets", "sub": "repo:acme/targets:ref:x"}
    assert project_of(GITHUB, claims) == "acme/targets"
    assert project_of("https://gitlab.example.org", claims) == "repo:acme/targets:ref:x"
    assert project_of(GITHUB, {}) == ""


def test_each_issuer_has_its_required_claims() -> None:
    assert not [*claim_faults(GITHUB, {"repository": "a/b", "repository_owner_id": "1"})]
    assert not [*claim_faults("https://gitlab.example.org", {"sub": "project_path:a/b"})]
    assert len([*claim_faults(GITHUB, {})]) == 2


@pytest.mark.parametrize(
    ("url", "trustworthy"),
    [
        ("https://ci.example.org", True),
        ("https://ci.example.org:8443/issuer", True),
        ("http://127.0.0.1:9400", True),
        ("http://[::1]:9400", True),
        ("http://localhost", True),
        ("http://ci.example.org", False),
        ("http://127.0.0.1.example.org", False),
        ("http://localhost@example.org", False),
        ("https://user:secret@ci.example.org", False),
        ("https://ci.example.org/?x=1", False),
        ("https://ci.example.org/#x", False),
        ("https://ci.example.org:port", False),
        ("https://", False),
        ("file:///etc/passwd", False),
        ("", False),
    ],
)
def test_only_encrypted_or_local_urls_are_trustworthy(url: str, trustworthy: bool) -> None:
    assert is_trustworthy(url) is trustworthy
