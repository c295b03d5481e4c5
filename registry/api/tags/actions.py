"""POST deprecate and undeprecate: the actions on a tag."""

from __future__ import annotations

from registry.actions import tags
from registry.actions.action_form import Outcome
from registry.api.core.action_resource import ActionResource
from registry.api.core.openapi_schema import CHANGE_CODES, TAG
from registry.api.core.resource import name_of
from registry.api.tags.serializers import DeprecationSerializer
from registry.domain.reference import Reference, Tag as TagName
from registry.services.tags import detail
from registry.services.tags.detail import TagProfile


class TagActions(ActionResource):
    """The actions on a tag."""

    subject_type = tags.TAG
    serializer = DeprecationSerializer
    codes = CHANGE_CODES
    described = (TAG,)

    def subjects(self, reference: Reference) -> tuple[TagName]:
        """Return the tag. Raises `Refused` (REFERENCE_INVALID)."""
        return (TagName.parse(name_of(reference)),)

    def represented(self, name: TagName, outcome: Outcome) -> TagProfile:
        """Return the tag with its status."""
        return detail.tag_profile(str(name))
