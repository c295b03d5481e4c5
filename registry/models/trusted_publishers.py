"""Trusted publishers: CI jobs that get short-lived tokens for their identity, without a secret."""

from __future__ import annotations

import json

from django.db import models
from django.db.models import Q

from registry.models.accounts import Namespace, User
from registry.models.fields import BytewiseField


class TrustedPublisher(models.Model):
    """The claims by which a namespace recognises CI jobs, and what their tokens may do."""

    namespace = models.ForeignKey(Namespace, models.PROTECT, related_name="trusted_publishers")
    registrar = models.ForeignKey(
        User,
        models.PROTECT,
        related_name="+",
        db_comment="owns the tokens, whose rights never exceed this account's",
    )
    issuer = BytewiseField(max_length=200, db_comment="URL of the OpenID Connect provider")
    claims = BytewiseField(max_length=1000, db_comment="JSON: required claims and their values")
    subject = BytewiseField(
        max_length=1000, db_comment="of the claims, the one that names the project; to find it by"
    )
    scopes = models.CharField(max_length=80, db_comment="space-separated: propose publish")
    pattern = BytewiseField(db_comment="the namespace, or ns/prefix/*")
    created = models.DateTimeField(auto_now_add=True, db_comment="UTC")
    last_used = models.DateTimeField(null=True, blank=True, db_comment="UTC; last token issued")
    revoked = models.DateTimeField(null=True, blank=True, db_comment="UTC; null: in force")

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("namespace", "issuer", "claims", "pattern"),
                condition=Q(revoked=None),
                name="trusted_publisher_once",
            ),
            models.CheckConstraint(
                condition=Q(scopes__in=("propose", "publish", "propose publish")),
                name="trusted_publisher_scopes_known",
            ),
        )
        indexes = (models.Index(fields=("issuer", "subject"), name="trusted_publisher_subject"),)

    def __str__(self) -> str:
        return f"{self.subject} for {self.pattern}"

    @property
    def required_claims(self) -> dict[str, str]:
        claims: dict[str, str] = json.loads(self.claims)
        return claims


class UsedIdentity(models.Model):
    """An identity token that was exchanged, kept until it expires: none is exchanged twice."""

    digest = models.CharField(
        max_length=64, primary_key=True, db_comment="SHA-256 of its issuer and id, in hex"
    )
    expires = models.DateTimeField(db_comment="UTC; the issuer's tokens are refused from then on")

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(digest__regex=r"^[0-9a-f]{64}$"), name="used_identity_keeps_no_token"
            ),
        )
        indexes = (models.Index(fields=("expires",), name="used_identity_by_expiry"),)

    def __str__(self) -> str:
        return self.digest
