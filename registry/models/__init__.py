"""What is stored, with the database's own constraints."""

from registry.models.accounts import Membership, Namespace, Role, Token, User
from registry.models.events import Event
from registry.models.index import Attribute, Entry, Status
from registry.models.kinds import Kind, KindRevision
from registry.models.names import Deprecation, Gram, GramCount, Name, Tag
from registry.models.versions import Ancestry, Dependency, Version, VersionKind
from registry.models.withdrawals import Withdrawal

__all__ = [
    "Ancestry",
    "Attribute",
    "Dependency",
    "Deprecation",
    "Entry",
    "Event",
    "Gram",
    "GramCount",
    "Kind",
    "KindRevision",
    "Membership",
    "Name",
    "Namespace",
    "Role",
    "Status",
    "Tag",
    "Token",
    "User",
    "Version",
    "VersionKind",
    "Withdrawal",
]
