"""Words for the actions of events, whose stored names are part of the log and of the API.

A line of the log reads: account, verb, subject.
"""

from __future__ import annotations

from collections.abc import Mapping

VERBS: Mapping[str, str] = {
    "version.published": "published",
    "version.yanked": "yanked",
    "version.unyanked": "unyanked",
    "tag.deprecated": "deprecated",
    "tag.undeprecated": "undeprecated",
    "tag.family_set": "changed the family of",
    "alias.pointed": "pointed the alias",
    "change.requested": "requested a change of",
    "change.discarded": "discarded a change of",
    "namespace.understaffed": "left too few curators for four-eyes in",
    "namespace.staff_confirmed": "confirmed a change in place of a curator in",
    "namespace.made": "created the namespace",
    "namespace.factor_required": "was the first to build on",
    "namespace.described": "described the namespace",
    "namespace.readme_written": "wrote the README of",
    "namespace.policy_set": "set the policy of",
    "member.granted": "granted a role in",
    "member.revoked": "revoked a role in",
    "publisher.registered": "registered a trusted publisher of",
    "publisher.revoked": "revoked a trusted publisher of",
    "publisher.used": "issued a token to a trusted publisher of",
    "webhook.added": "added a webhook of",
    "webhook.removed": "removed a webhook of",
    "webhook.enabled": "enabled a webhook of",
    "webhook.disabled": "gave up a webhook of",
    "kind.revised": "revised the kind",
    "lints.replaced": "recomputed the",
    "request.submitted": "requested the namespace",
    "request.commented": "commented on a request for the namespace",
    "request.accepted": "accepted a request for the namespace",
    "request.rejected": "rejected a request for the namespace",
    "request.withdrawn": "withdrew a request for the namespace",
    "proposal.submitted": "submitted a proposal for",
    "proposal.revised": "revised a proposal for",
    "proposal.commented": "commented on a proposal for",
    "proposal.changes_asked": "requested changes to a proposal for",
    "proposal.approved": "approved a proposal for",
    "proposal.accepted": "accepted a proposal for",
    "proposal.rejected": "rejected a proposal for",
    "proposal.withdrawn": "withdrew a proposal for",
    "version.redacted": "redacted",
    "kind.redacted": "redacted the kind",
    "text.redacted": "redacted a",
    "log.forked": "continued a log that had lost events as",
    "log.key_rotated": "rotated the key of the log",
    "account.made": "created the account",
    "account.changed": "changed the account",
    "account.closed": "closed the account",
    "account.deleted": "deleted the account",
    "account.password_set": "set the password of the account",
    "account.factor_added": "added a second factor to the account",
    "account.factor_removed": "removed a second factor from the account",
    "account.identity_connected": "connected an identity with the account",
    "account.identity_removed": "removed an identity from the account",
    "account.recovery_key_issued": "made a recovery key of the account",
    "account.recovered": "recovered the account",
    "account.reset_started": "began a reset of the account",
    "account.reset_stopped": "stopped a reset of the account",
    "token.issued": "issued the token",
    "token.revoked": "revoked the token",
}


def verb(action: str) -> str:
    """Return the words for an action; as it is stored if it is unknown."""
    return VERBS.get(action, action)
