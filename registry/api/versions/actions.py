"""POST yank and unyank: the actions on a version."""

from __future__ import annotations

from registry.actions import versions
from registry.api.core.action_resource import ActionResource
from registry.api.core.openapi_schema import CHANGE_CODES, EXACT
from registry.api.versions.version_serializers import WithdrawalSerializer
from registry.domain.errors import Code
from registry.domain.reference import Reference
from registry.services.versions import yanking


class VersionActions(ActionResource):
    """The actions on a version, which an exact reference names."""

    subject_type = versions.VERSION
    serializer = WithdrawalSerializer
    codes = (*CHANGE_CODES, Code.VERSION_UNKNOWN)
    described = (EXACT,)

    def subjects(self, reference: Reference) -> tuple[Reference]:
        """Return the version. Raises `Refused` (REFERENCE_INVALID) unless it is exact."""
        yanking.refuse_inexact(reference)
        return (reference,)
