"""Findings of tampered rows other than versions."""

# ruff: noqa: S608 - statements of these tests

import pytest
from django.db import connection

from registry.models import Membership
from tests.services.operations.tampering import tamper
from tests.services.operations.verification.findings import BOARD, CHILD, FIRST, assert_found

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

# Of a namespace, whose detail the tree does not cover.
CREATION = "(SELECT MIN(number) FROM registry_event WHERE action = 'namespace.made')"
ROWS = [
    pytest.param(
        f"UPDATE registry_dependency SET requested = 'acme/link-1@1' WHERE version_id = {CHILD}",
        (
            r"link-2@1\.0\.0: dependencies is .*as in registry_dependency, .*link-1@1\"",
            r"its source does not resolve against its pinned versions",
        ),
        id="a dependency's reference",
    ),
    pytest.param(
        f"UPDATE registry_dependency SET requested = 'x' WHERE version_id = {CHILD}",
        (
            r"registry_dependency \d+ of \d+ acme/link-2@1\.0\.0: requested is x; expected a ref",
            r"link-2@1\.0\.0: dependencies is",
            r"its source does not resolve",
        ),
        id="an invalid reference",
    ),
    pytest.param(
        f"UPDATE registry_dependency SET is_floating = NOT is_floating WHERE version_id = {CHILD}",
        (r"registry_dependency \d+ of .*link-2@1\.0\.0: is_floating is false; expected true",),
        id="a dependency's is_floating",
    ),
    pytest.param(
        f"UPDATE registry_dependency SET name_id = (SELECT id FROM registry_name WHERE "
        f"text = 'acme/extra') WHERE version_id = {CHILD}",
        (
            r"link-2@1\.0\.0: name is acme/extra; expected acme/link-1",
            r"link-2@1\.0\.0: resolved is acme/link-1@1\.0\.0; expected a version of acme/link-1",
        ),
        id="a dependency's name",
    ),
    pytest.param(
        "UPDATE registry_dependency SET resolved_id = (SELECT id FROM registry_version WHERE "
        f"{FIRST}) WHERE version_id = {CHILD}",
        (
            r"resolved is acme/board@1\.0\.0; expected a version of acme/link-1",
            r"dependencies is .*link-1@1.*as in registry_dependency, .*board@1\.0",
            r"provenance is .*as resolved again",
            r"dependencies is .*as resolved again",
            r"lineage is .*as resolved again",
            r"depth is 2; expected as resolved again, 1",
            r"distance is \[1, 2\]; expected \[1\]",
        ),
        id="a dependency's version",
    ),
    pytest.param(
        f"UPDATE registry_dependency SET position = 3 WHERE version_id = {CHILD}",
        (r"registry_dependency \d+ of .*link-2@1\.0\.0: position is 3; expected 0",),
        id="a dependency's position",
    ),
    pytest.param(
        f"DELETE FROM registry_dependency WHERE version_id = {CHILD}",
        (
            r"link-2@1\.0\.0: dependencies is .*as in registry_dependency, \[\]",
            r"link-2@1\.0\.0: its source does not resolve",
        ),
        id="a missing dependency",
    ),
    pytest.param(
        f"DELETE FROM registry_ancestry WHERE version_id = {CHILD} AND distance = 2",
        (
            r"link-2@1\.0\.0: lineage is .*as in registry_ancestry, ",
            r"registry_ancestry of .*link-2@1\.0\.0: distance is \[1\]; expected \[1, 2\]",
            r"pair@1\.0\.0: lineage is .*as resolved again",
            r"registry_ancestry of .*pair@1\.0\.0: distance is",
        ),
        id="a missing ancestor",
    ),
    pytest.param(
        f"UPDATE registry_ancestry SET position = 5 WHERE version_id = {CHILD} AND distance = 2",
        (r"registry_ancestry \d+ of .*link-2@1\.0\.0: position is 5; expected 1",),
        id="an ancestor's position",
    ),
    pytest.param(
        "DELETE FROM registry_event WHERE number = 3",
        (
            r"registry_event 4 .*: number is 4; expected 3",
            r"registry_logrange \d+: events \d+ to \d+ are not those that the tree covers",
        ),
        id="a missing event",
    ),
    pytest.param(
        f"UPDATE registry_event SET detail = '[]' WHERE number = {CREATION}",
        (r"registry_event \d+ .*: detail is \[\]; expected a JSON object",),
        id="an event's detail",
    ),
    pytest.param(
        f"UPDATE registry_event SET detail = '{{' WHERE number = {CREATION}",
        (r"registry_event \d+ .*: detail is \{; expected a JSON object",),
        id="an unreadable event",
    ),
    pytest.param(
        "UPDATE registry_event SET detail = replace(detail, 'sha256:', 'sha256:0') "
        "WHERE action = 'version.published' AND subject = 'acme/board@1.0.0'",
        (
            r"acme/board@1\.0\.0: digest is sha256:.*; expected sha256:0.*as event \d+",
            r"registry_logrange (\d+): events \1 to \1 are not those that the tree covers",
            r"registry_versionleaf acme/board@1\.0\.0: event \d+ states that .* is sha256:0",
        ),
        id="a published digest",
    ),
    pytest.param(
        "UPDATE registry_withdrawal SET sequence = 7 WHERE NOT yanked",
        (r"registry_withdrawal \d+: sequence is 7; expected 2",),
        id="a withdrawal's sequence",
    ),
    pytest.param(
        "UPDATE registry_deprecation SET sequence = 2 WHERE sequence = 1",
        (r"registry_deprecation \d+: sequence is 2; expected 1",),
        id="a deprecation's sequence",
    ),
    pytest.param(
        "UPDATE registry_kindrevision SET source = '{}' WHERE kind_id = "
        "(SELECT id FROM registry_kind WHERE name = 'llvm')",
        (r"registry_kindrevision \d+ llvm revision 1: digest is sha256:.*; expected sha256:",),
        id="a kind revision's source",
    ),
    pytest.param(
        "UPDATE registry_kindrevision SET number = 4 WHERE kind_id = "
        "(SELECT id FROM registry_kind WHERE name = 'llvm')",
        (r"registry_kindrevision \d+: number is 4; expected 1",),
        id="a kind revision's number",
    ),
    pytest.param(
        "UPDATE registry_name SET text = 'acme/blackboard' WHERE text = 'acme/extra'",
        (
            r"registry_name \d+ acme/blackboard: text is acme/blackboard; expected acme/extra",
            r"acme/blackboard: folded is acmeextra; expected acmeblackboard",
        ),
        id="a name",
    ),
    pytest.param(
        "UPDATE registry_name SET namespace_id = (SELECT id FROM registry_namespace WHERE "
        "name = 'arm') WHERE text = 'acme/extra'",
        (r"registry_name \d+ acme/extra: namespace is arm; expected acme",),
        id="a name's namespace",
    ),
    pytest.param(
        "UPDATE registry_name SET is_alias = NOT is_alias WHERE text = 'acme/extra'",
        (
            r"registry_tag \d+ acme/extra: the tag has no name of its own; expected acme/extra",
            r"registry_posting \d+ acme/extra: terms .* are missing, wrong or extra",
        ),
        id="a name that became an alias",
    ),
    pytest.param(
        "UPDATE registry_name SET folded = 'acmeextrb' WHERE text = 'acme/extra'",
        (r"registry_name \d+ acme/extra: folded is acmeextrb; expected acmeextra",),
        id="a folded name",
    ),
    pytest.param(
        "DELETE FROM registry_posting WHERE term = 'extra' AND tag_id = "
        "(SELECT id FROM registry_tag WHERE text = 'acme/extra')",
        (
            r"registry_posting \d+ acme/extra: terms \['extra'\] are missing, wrong or extra",
            r"registry_term extra: tags is 1; expected 0",
        ),
        id="a missing term",
    ),
    pytest.param(
        "UPDATE registry_posting SET weight = weight + 1 WHERE term = 'acmeextra' AND tag_id = "
        "(SELECT id FROM registry_tag WHERE text = 'acme/extra')",
        (r"registry_posting \d+ acme/extra: terms \['acmeextra'\] are missing, wrong or extra",),
        id="a term's weight",
    ),
    pytest.param(
        "DELETE FROM registry_term WHERE text = 'acmeextra'",
        (r"registry_term acmeextra: tags is 0; expected 1",),
        id="a missing term of the vocabulary",
    ),
    pytest.param(
        "DELETE FROM registry_termgram WHERE term = 'extra' AND text = 'xtr'",
        (r"registry_termgram extra: trigrams \['xtr'\] are missing or extra",),
        id="a missing trigram",
    ),
    pytest.param(
        "DELETE FROM registry_entry WHERE text = 'acme/extra'",
        (r"registry_entry \d+ acme/extra: the tag has no entry",),
        id="a missing entry",
    ),
    pytest.param(
        "UPDATE registry_entry SET kind = 'c' WHERE text = 'acme/board'",
        (r"registry_entry \d+ acme/board: kind is c; expected llvm",),
        id="an entry's kind",
    ),
    pytest.param(
        f"UPDATE registry_entry SET version_id = (SELECT id FROM registry_version WHERE {FIRST}) "
        "WHERE text = 'acme/board'",
        (r"registry_entry \d+ acme/board: version_id is \d+; expected \d+",),
        id="an entry's version",
    ),
    pytest.param(
        "UPDATE registry_attribute SET text = 'hasvell' WHERE text = 'haswell' "
        f"AND tag_id = {BOARD}",
        (r"registry_attribute \d+ acme/board: values at \['/mcpu'\] are missing, wrong or ex",),
        id="an attribute",
    ),
    pytest.param(
        "UPDATE registry_total SET number = 4 WHERE counted = 'tags' AND name = 'acme'",
        (r"registry_total tags acme: number is 4; expected \d+",),
        id="a total",
    ),
    pytest.param(
        "DELETE FROM registry_total WHERE counted = 'versions' AND name = 'acme'",
        (r"registry_total versions acme: number is 0; expected \d+",),
        id="a missing total",
    ),
    pytest.param(
        "UPDATE registry_valuetotal SET text = 'hasvell' WHERE option = 'llvm/mcpu'",
        (
            r"registry_valuetotal llvm/mcpu hasvell: number is \d; expected 0",
            r"registry_valuetotal llvm/mcpu haswell: number is 0; expected \d",
        ),
        id="the total of a value",
    ),
    pytest.param(
        "UPDATE registry_grouptotal SET number = -1 WHERE kind = 'llvm' AND status = 'active'",
        (r"registry_grouptotal acme llvm x86_64 active: number is -1; expected \d+",),
        id="the total of a group",
    ),
]


@pytest.mark.parametrize(("statement", "expected"), ROWS)
def test_tampered_row_is_found(statement: str, expected: tuple[str, ...]) -> None:
    tamper(statement)
    assert_found(*expected)


if connection.vendor == "sqlite":  # PostgreSQL always enforces foreign keys

    def test_dangling_reference_is_found() -> None:
        membership = Membership.objects.get()
        Membership.objects.filter(pk=membership.pk).update(user_id=999_999)
        assert_found(r"SQLite foreign keys: .*999999.*; expected no row that refers to a missing")
        membership.save()
