"""The write lock."""

from tests.services.calls import functions_calling

# Functions that take the write lock without a permission, each with the reason.
WITHOUT_PERMISSION = {
    "core.transactions.authorized_write": "checks the permission",
    "accounts.users.create_admin": "run by the operator",
    "accounts.identities.sign_up": "visitors create their own accounts",
    "accounts.users.sign_up": "visitors create their own accounts",
    "accounts.recovery.recover": "the key or code is the permission",
    "accounts.users.record_email_change": "logs what allauth has written",
    "accounts.users.record_factor_added": "logs what allauth has written",
    "accounts.users.record_factor_removed": "logs what allauth has written",
    "tags.renaming.rename_tag": "the services that it calls check",
    "proposals.bulk_review._accept": "accepting a proposal checks",
    "catalogue.loading.load_catalogue": "run by the operator",
    "catalogue.loading._load": "run by the operator",
    "catalogue.shipped_deprecations.load_deprecations": "run by the operator",
    "catalogue.loading.plan_load": "run by the operator",
    "namespaces.owner_factors.note_built_on": "notes what the worker has found",
    "notices.unsubscribing.unsubscribe": "the signed link is the permission",
    "webhooks.delivery._record_failure": "notes what the worker has done",
    "outbox.delivery._deliver": "queues mail for what a request has asked",
    "search.indexing.rebuild_index": "recomputes derived rows",
    "search.totals.rebuild": "recomputes derived rows",
    "operations.linting.lint_all": "run by the operator",
    "operations.linting._lint_batches": "recomputes derived rows",
    "event_log.key_rotation.rotate_key": "run by the operator",
    "operations.log_backfill.backfill": "run by migrations and restores",
    "event_log.forks.fork": "run by the operator",
    "event_log.readiness.problems": "stores the public key of the server",
    "operations.rebuild.rebuild_derived": "recomputes derived rows",
    "operations.redaction.redact": "run by the operator",
    "operations.restore.restore": "run by the operator",
}


def test_every_other_write_checks_a_permission_under_the_lock() -> None:
    assert functions_calling("write_lock") == WITHOUT_PERMISSION.keys(), (
        "open `authorized_write`, or say in WITHOUT_PERMISSION why nobody's permission is needed"
    )
