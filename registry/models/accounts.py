"""Users, namespaces, memberships and API tokens."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models

from registry.models.fields import BytewiseField


class User(AbstractUser):
    """A person, or a machine account such as the one that loads the shipped catalogue."""


# Decision 039: one of three, in place of a switch for each rule.
class Policy(models.TextChoices):
    """Publication policy of a namespace: who publishes, and whether others review first."""

    MEMBERS = "members", "Members publish"
    CURATORS = "curators", "Everything is reviewed: members propose, curators publish"
    FOUR_EYES = "four-eyes", "Everything is reviewed, and by somebody else"  # no direct publishing


class Namespace(models.Model):
    """The first segment of names, with an owner. Only staff creates namespaces."""

    name = BytewiseField(max_length=64, unique=True, db_comment="first segment of names")
    title = models.CharField(max_length=120, db_comment="what people call the owner")
    description = models.TextField(blank=True, default="", db_comment="one sentence")
    url = models.URLField(blank=True, default="", db_comment="the owner's own page")
    policy = models.CharField(
        max_length=9,
        choices=Policy,
        default=Policy.MEMBERS,
        db_comment="who publishes: members, curators, or nobody without another (four-eyes)",
    )
    created = models.DateTimeField(auto_now_add=True, db_comment="UTC")
    built_on_since = models.DateTimeField(
        null=True, blank=True, db_comment="UTC; when another namespace was first seen to use it"
    )

    class Meta:
        ordering = ("name",)
        constraints = (
            models.CheckConstraint(
                condition=models.Q(name__regex=r"^[a-z0-9]"), name="namespace_is_a_component"
            ),
            models.CheckConstraint(
                condition=models.Q(policy__in=Policy.values), name="namespace_policy_known"
            ),
        )

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    """A member's role in a namespace; each role includes the rights of those below it."""

    OWNER = "owner", "Owner"  # and manages members
    CURATOR = "curator", "Curator"  # and reviews proposals
    MEMBER = "member", "Member"  # publishes and yanks

    @property
    def with_article(self) -> str:
        """The role in a sentence: "a member"."""
        return f"{'an' if self is Role.OWNER else 'a'} {self}"


class Membership(models.Model):
    """A person's role in a namespace."""

    namespace = models.ForeignKey(Namespace, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=8, choices=Role, db_comment="owner, curator or member")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("namespace", "user"), name="membership_once"),
            models.CheckConstraint(
                condition=models.Q(role__in=Role.values), name="membership_role_known"
            ),
        )

    def __str__(self) -> str:
        return f"{self.user}: {self.role} of {self.namespace}"


class Token(models.Model):
    """An API token. Only its SHA-256 is stored; its rights never exceed those of its owner."""

    owner = models.ForeignKey(User, models.CASCADE, related_name="tokens")
    publisher = models.ForeignKey(
        "registry.TrustedPublisher",
        models.CASCADE,
        null=True,
        blank=True,
        related_name="tokens",
        db_comment="the CI job that got it for its identity; null: issued to the owner",
    )
    label = models.CharField(max_length=80, db_comment="what the owner calls it")
    prefix = models.CharField(max_length=12, unique=True, db_comment="public part, to find it by")
    digest = models.CharField(max_length=64, db_comment="SHA-256 of the whole token, in hex")
    scopes = models.CharField(max_length=80, db_comment="space-separated: propose publish ...")
    pattern = BytewiseField(db_comment="one namespace, or ns/prefix/*; * for all")
    created = models.DateTimeField(auto_now_add=True, db_comment="UTC")
    expires = models.DateTimeField(null=True, blank=True, db_comment="UTC; null: never")
    last_used = models.DateTimeField(null=True, blank=True, db_comment="UTC, to the hour")
    revoked = models.DateTimeField(null=True, blank=True, db_comment="UTC; null: in force")

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=models.Q(digest__regex=r"^[0-9a-f]{64}$"), name="token_keeps_no_secret"
            ),
        )

    def __str__(self) -> str:
        return f"ttr_{self.prefix}_… of {self.owner}"
