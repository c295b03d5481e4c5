"""The search index, derived from published versions; it can be rebuilt from them at any time.

`registry.services.search.indexing` and `term_index` write it.
"""

from __future__ import annotations

from typing import Any, Self

from django.db import models
from django.db.models import F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce, Length

from registry.domain.names.plain_names import plain_name
from registry.domain.search.search_terms import MAX_TERM
from registry.models.accounts import Namespace
from registry.models.fields import BytewiseField
from registry.models.names import Name, Tag
from registry.models.usage import RecentUsage
from registry.models.versions import Version, documents_of

MAX_POINTER = 512  # characters; conditions do not match deeper values
MAX_NAME = 128
MAX_TEXT = 256  # the longest option string; longer values are prose


class Status(models.TextChoices):
    """The status of a tag as a whole."""

    ACTIVE = "active"
    DEPRECATED = "deprecated"  # possibly with a successor
    YANKED = "yanked"  # every version is yanked


class EntryQuerySet(models.QuerySet["Entry"]):
    """Queries for entries of tags."""

    def with_version(self) -> Self:
        """Join the newest version, without its documents; annotate its lints, use and alias.

        And whether the tag is a family.
        """
        joined = self.select_related("version").defer(*documents_of("version"))
        usage = RecentUsage.objects.filter(tag=OuterRef("pk")).values("resolves")[:1]
        return joined.with_alias().annotate(
            lint_count=Coalesce(F("version__lint_report__count"), 0),
            resolves=Coalesce(Subquery(usage), 0),
            is_family=F("tag__is_family"),
        )

    def with_alias(self) -> Self:
        """Annotate the shortest alias, which `title` may prefer to the tag's own name."""
        names = Name.objects.filter(tag=OuterRef("pk"), is_alias=True, major=None, digest="")
        return self.annotate(
            shortest_alias=Subquery(names.order_by(Length("text"), "text").values("text")[:1])
        )


# Decision 018: search reads tables of its own, derived from newest versions.
class Entry(models.Model):
    """A tag as shown in lists and facets, with its newest unyanked version."""

    tag = models.OneToOneField(Tag, models.CASCADE, primary_key=True, related_name="entry")
    text = BytewiseField(unique=True, db_comment="the tag's, to sort by without a join")
    namespace = models.ForeignKey(Namespace, models.PROTECT, related_name="entries", db_index=False)
    version = models.OneToOneField(Version, models.PROTECT, null=True, related_name="entry")
    kind = BytewiseField(max_length=64, db_comment="of the root node; empty for a mixin")
    vendor = BytewiseField(max_length=MAX_NAME, db_comment="who makes the hardware, or empty")
    arch = BytewiseField(max_length=MAX_NAME, db_comment="x86_64, sm_90, gfx942 ... or empty")
    family = BytewiseField(max_length=MAX_NAME, db_comment="of the hardware, or empty")
    place = models.PositiveSmallIntegerField(
        db_comment="of the category, in lists with machines first; families come last"
    )
    status = models.CharField(max_length=10, choices=Status, db_comment="of the tag as a whole")
    published = models.DateField(null=True, db_comment="UTC, of the newest version")
    leaves = models.PositiveIntegerField(db_comment="values outside hardware; for near duplicates")

    objects = EntryQuerySet.as_manager()

    # Annotated by `with_version`.
    lint_count: int
    resolves: int  # in the last 30 days
    is_family: bool
    shortest_alias: str | None = None  # annotated by `with_alias`, too
    # Set by a search for words: the fields and values that have them.
    reasons: tuple[Any, ...] = ()
    unstated: tuple[str, ...] = ()  # numbers of the search that its facts do not state
    differs: tuple[str, ...] = ()  # from what was searched for: it is another machine
    # Set in lists of deprecated tags: what supersedes a tag.
    successor: str = ""

    class Meta:
        ordering = ("text",)
        constraints = (
            models.CheckConstraint(
                condition=Q(status=Status.YANKED, version=None)
                | Q(~Q(status=Status.YANKED), version__isnull=False),
                name="entry_has_version_unless_yanked",
            ),
        )
        indexes = (
            *(
                models.Index(fields=(column, "text"), name=f"entry_by_{column}")
                for column in ("namespace", "kind", "vendor", "arch", "family", "place")
            ),
            # Decision 194: among a million tags, 400,000 others come before the first GPU.
            *(
                models.Index(fields=(column, "place", "text"), name=f"entry_machines_of_{column}")
                for column in ("namespace", "kind", "vendor", "arch", "family")
            ),
            models.Index(
                fields=("namespace", "kind", "vendor", "arch", "family", "status"),
                name="entry_facets",
            ),
        )

    def __str__(self) -> str:
        return self.text

    @property
    def title(self) -> str:
        """The name that people read first: the plainer alias, if there is one."""
        plain = plain_name(self.text)
        return plain if plain and plain == self.shortest_alias else self.text

    @property
    def exact(self) -> str | None:
        """The exact reference of the newest version; None if all are yanked."""
        return f"{self.text}@{self.version.number}" if self.version else None


class Attribute(models.Model):
    """A value of a tag's newest version: a scalar, a list item, or a part of a triple.

    A list item has the list's pointer; the part of a triple has a pointer below the triple's.
    """

    tag = models.ForeignKey(Tag, models.CASCADE, related_name="attributes", db_index=False)
    pointer = BytewiseField(
        max_length=MAX_POINTER, db_comment="JSON pointer; of a list, the list's"
    )
    name = BytewiseField(max_length=MAX_NAME, db_comment="the pointer's last token")
    text = BytewiseField(max_length=MAX_TEXT, db_comment="the value as text: sm_90, 8, true")
    number = models.FloatField(null=True, db_comment="the value, where it is a number")

    class Meta:
        # Each index covers the columns that a condition uses. The first serves queries on one tag.
        indexes = (
            models.Index(fields=("tag", "name", "number", "pointer"), name="attribute_of_tag"),
            models.Index(fields=("name", "text", "tag", "pointer"), name="attribute_by_text"),
            models.Index(
                fields=("name", "number", "tag", "pointer"),
                name="attribute_by_number",
                condition=Q(number__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return f"{self.tag_id}{self.pointer}={self.text}"


class Term(models.Model):
    """A term that search knows; the vocabulary in which it completes words and corrects typos."""

    text = BytewiseField(max_length=MAX_TERM, primary_key=True, db_comment="letters and digits")
    tags = models.PositiveIntegerField(default=0, db_comment="how many have the term")
    is_word = models.BooleanField(default=False, db_comment="a word, whose typos are corrected")

    def __str__(self) -> str:
        return self.text


class TermGram(models.Model):
    """A trigram of a term that is a single word: the index for typos."""

    text = BytewiseField(max_length=3, db_comment="three characters; spaces for the ends")
    length = models.PositiveSmallIntegerField(db_comment="characters of the term")
    term = BytewiseField(max_length=MAX_TERM, db_comment="a term's text")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("text", "length", "term"), name="term_gram_once"),
        )

    def __str__(self) -> str:
        return f"{self.text}: {self.term}"


class Posting(models.Model):
    """A term of a tag: of its names, or of its newest version's target or message."""

    tag = models.ForeignKey(Tag, models.CASCADE, related_name="postings", db_index=False)
    term = BytewiseField(max_length=MAX_TERM, db_comment="a term's text")
    weight = models.PositiveSmallIntegerField(db_comment="where it is; the most telling first")

    class Meta:
        # Each index covers what search reads: the tags of a term, and the terms of a tag.
        constraints = (
            models.UniqueConstraint(fields=("tag", "term", "weight"), name="posting_once"),
        )
        indexes = (models.Index(fields=("term", "weight", "tag"), name="posting_by_weight"),)

    def __str__(self) -> str:
        return f"{self.tag_id}: {self.term}"
