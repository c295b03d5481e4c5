"""Serializers of requests. Fields only check types; services validate the values."""

from __future__ import annotations

from typing import Any, ClassVar

from django.core.validators import RegexValidator
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from registry.api.core import patterns
from registry.api.core.fields import TextListField
from registry.domain import document
from registry.domain.document import Json
from registry.domain.importers import IMPORTERS
from registry.domain.reference import MAX_REFERENCE, MAX_TAG
from registry.domain.user_text import LINK, MAX_LINK, MAX_REASON
from registry.domain.version_number import VersionNumber
from registry.services.proposals.timeline import MAX_TEXT
from registry.services.versions.exporting import EXPORT_FORMATS
from registry.services.versions.publishing import MAX_MESSAGE, MAX_SOURCES

MAX_REQUEST = 2 * document.MAX_BYTES  # a body and its message and sources
MAX_BATCH = 1000  # references of one request
FAMILY = "whether the tag describes what several machines share; by default, what it is now"
BODY = "a body, see the schema at kinds/body"


class RequestSerializer(serializers.Serializer):
    """A request's JSON object, read by `request_bodies.read`; it has no other members."""

    max_bytes: ClassVar[int] = MAX_REQUEST
    keywords: ClassVar[dict[str, Any]] = {}  # additional keywords of its JSON Schema


class TextField(serializers.CharField):
    """Text, exactly as sent."""

    default_error_messages = {"invalid": "text"}

    def to_internal_value(self, data: Any) -> str:
        """Return the text; unlike DRF's field, reject numbers and keep white space."""
        if not isinstance(data, str):
            self.fail("invalid")
        return str(data)


class RemarkField(TextField):
    """A public comment on a proposal."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=MAX_TEXT, help_text="public", **kwargs)


class TagField(TextField):
    """The name of a tag."""

    def __init__(self, **kwargs: Any) -> None:
        pattern = RegexValidator(patterns.TAG)
        super().__init__(max_length=MAX_TAG, validators=[pattern], **kwargs)


class ReferenceField(TextField):
    """A reference to a tag."""

    def __init__(self, **kwargs: Any) -> None:
        pattern = RegexValidator(patterns.REFERENCE)
        super().__init__(max_length=MAX_REFERENCE, validators=[pattern], **kwargs)


class LinkField(TextField):
    """A URL that begins with https."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=MAX_LINK, validators=[RegexValidator(LINK)], **kwargs)


class NameField(serializers.ChoiceField):
    """One of several names; an unknown one is rejected by its lookup."""

    default_error_messages = {"invalid": "text"}

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return str(data)


class SwitchField(serializers.BooleanField):
    """True or false; absent is false."""

    default_error_messages = {"invalid": "true or false"}

    def to_internal_value(self, data: Any) -> bool:
        """Return the boolean; unlike DRF's field, reject text and numbers."""
        if not isinstance(data, bool):
            self.fail("invalid")
        return bool(data)


class CountField(serializers.IntegerField):
    """An integer of 1 or more."""

    default_error_messages = {"invalid": "an integer of 1 or more"}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=1, **kwargs)

    def to_internal_value(self, data: Any) -> int:
        """Return the number; 1.0 is 1, because JSON does not distinguish them."""
        is_number = isinstance(data, int | float) and not isinstance(data, bool)
        if not is_number or data < 1 or data % 1:
            self.fail("invalid")
        return int(data)


class NumberField(serializers.CharField):
    """The number of a version, or null."""

    default_error_messages = {"invalid": 'a version number such as "1.0.0", or null'}

    def __init__(self, **kwargs: Any) -> None:
        pattern = RegexValidator(patterns.NUMBER)
        super().__init__(allow_null=True, validators=[pattern], **kwargs)

    def to_internal_value(self, data: Any) -> Any:
        try:
            return None if data is None else VersionNumber.parse(data)
        except (TypeError, ValueError):
            self.fail("invalid")


class UnparsedField(serializers.JSONField):
    """JSON that is not parsed here."""

    def from_text(self, text: str) -> Any:
        """Return the text unchanged."""
        return text


@extend_schema_field({"type": "object"})
class BodyField(UnparsedField):
    """A body: its text, which the service parses."""


class SourceField(UnparsedField):
    """A description of a target for an importer: text of any length, or JSON."""

    def from_text(self, text: str) -> Json:
        """Parse within the limits of a body. Raises `Refused` with pointers into the member."""
        max_token = len(text.encode()) if text.startswith('"') else document.MAX_TOKEN
        return document.parse_json(text, max_token=max_token)


class TargetRequestSerializer(RequestSerializer):
    """A target: a body, or a description that an importer converts to a body."""

    target = UnparsedField(required=False, help_text=BODY)
    format = NameField(choices=list(IMPORTERS), required=False)
    source = SourceField(  # type: ignore[assignment]  # declared fields leave the class
        required=False, help_text="text, or JSON if the format is JSON"
    )

    keywords = {
        "oneOf": [
            {
                "required": ["target"],
                "not": {"anyOf": [{"required": ["format"]}, {"required": ["source"]}]},
            },
            {"required": ["format", "source"], "not": {"required": ["target"]}},
        ]
    }


class CheckRequestSerializer(TargetRequestSerializer):
    """A target to check, and its tag."""

    tag = TagField()
    family = SwitchField(required=False, initial=None, help_text=FAMILY)


class SubmissionRequestSerializer(TargetRequestSerializer):
    """A target to publish, with a message and sources."""

    message = TextField(required=False, max_length=MAX_MESSAGE)
    sources = TextListField(required=False, child=LinkField(), max_length=MAX_SOURCES)
    base = NumberField(
        required=False,
        help_text="the last published version when this was written; by default, the current one",
    )

    def get_fields(self) -> dict[str, Any]:
        """Describe the body as an object; only a check accepts other JSON, to report it."""
        return super().get_fields() | {"target": BodyField(required=False, help_text=BODY)}


class PublishRequestSerializer(RequestSerializer):
    """The next version of a tag."""

    target = BodyField(help_text=BODY)
    family = SwitchField(required=False, initial=None, help_text=FAMILY)
    message = TextField(required=False, max_length=MAX_MESSAGE)
    sources = TextListField(required=False, child=LinkField(), max_length=MAX_SOURCES)


class ProposeRequestSerializer(SubmissionRequestSerializer):
    """A proposal for a tag."""

    tag = TagField()


class CommentRequestSerializer(RequestSerializer):
    """A comment on a proposal."""

    text = RemarkField(min_length=1)


class WithdrawRequestSerializer(RequestSerializer):
    """The withdrawal of a proposal."""

    text = RemarkField(required=False)


class ReviseRequestSerializer(SubmissionRequestSerializer):
    """A new revision of a proposal."""

    revision = CountField(help_text="the newest revision that the client has seen")
    text = RemarkField(required=False)


class AcceptRequestSerializer(RequestSerializer):
    """The acceptance of a revision."""

    revision = CountField(help_text="the newest revision that the client has seen")
    text = RemarkField(required=False)


class DecisionRequestSerializer(RequestSerializer):
    """A decision about a revision, with its reason."""

    revision = CountField(help_text="the newest revision that the client has seen")
    text = RemarkField(min_length=1)


class ReasonRequestSerializer(RequestSerializer):
    """The reason for a change."""

    reason = TextField(min_length=1, max_length=MAX_REASON, help_text="one line, public")


class DeprecateRequestSerializer(ReasonRequestSerializer):
    """The reason for a deprecation, and the tag to use instead."""

    successor = TagField(required=False)


class AliasRequestSerializer(RequestSerializer):
    """The target of an alias."""

    reference = ReferenceField()


class ResolveManyRequestSerializer(RequestSerializer):
    """References to resolve, with the export options."""

    max_bytes = 512 * 1024  # enough for the longest references

    references = TextListField(max_length=MAX_BATCH)
    format = NameField(choices=list(EXPORT_FORMATS), required=False, initial="json")
    record = SwitchField(required=False)
    strict = SwitchField(required=False)
