"""Trusted publishers: CI jobs that get tokens for their identity."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from registry.models.fields import BytewiseField


class Migration(migrations.Migration):
    dependencies = (("registry", "0003_search_terms"),)

    operations = [
        migrations.CreateModel(
            name="TrustedPublisher",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "issuer",
                    BytewiseField(db_comment="URL of the OpenID Connect provider", max_length=200),
                ),
                (
                    "claims",
                    BytewiseField(
                        db_comment="JSON: required claims and their values", max_length=1000
                    ),
                ),
                (
                    "subject",
                    BytewiseField(
                        db_comment="of the claims, the one that names the project; to find it by",
                        max_length=1000,
                    ),
                ),
                (
                    "scopes",
                    models.CharField(db_comment="space-separated: propose publish", max_length=80),
                ),
                (
                    "pattern",
                    BytewiseField(db_comment="the namespace, or ns/prefix/*", max_length=183),
                ),
                ("created", models.DateTimeField(auto_now_add=True, db_comment="UTC")),
                (
                    "last_used",
                    models.DateTimeField(
                        blank=True, db_comment="UTC; last token issued", null=True
                    ),
                ),
                (
                    "revoked",
                    models.DateTimeField(blank=True, db_comment="UTC; null: in force", null=True),
                ),
                (
                    "namespace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="trusted_publishers",
                        to="registry.namespace",
                    ),
                ),
                (
                    "registrar",
                    models.ForeignKey(
                        db_comment="owns the tokens, whose rights never exceed this account's",
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.AddField(
            model_name="token",
            name="publisher",
            field=models.ForeignKey(
                blank=True,
                db_comment="the CI job that got it for its identity; null: issued to the owner",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="tokens",
                to="registry.trustedpublisher",
            ),
        ),
        migrations.CreateModel(
            name="UsedIdentity",
            fields=[
                (
                    "digest",
                    models.CharField(
                        db_comment="SHA-256 of its issuer and id, in hex",
                        max_length=64,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "expires",
                    models.DateTimeField(
                        db_comment="UTC; the issuer's tokens are refused from then on"
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["expires"], name="used_identity_by_expiry")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("digest__regex", "^[0-9a-f]{64}$")),
                        name="used_identity_keeps_no_token",
                    )
                ],
            },
        ),
        migrations.AddIndex(
            model_name="trustedpublisher",
            index=models.Index(fields=["issuer", "subject"], name="trusted_publisher_subject"),
        ),
        migrations.AddConstraint(
            model_name="trustedpublisher",
            constraint=models.UniqueConstraint(
                condition=models.Q(("revoked", None)),
                fields=("namespace", "issuer", "claims", "pattern"),
                name="trusted_publisher_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="trustedpublisher",
            constraint=models.CheckConstraint(
                condition=models.Q(("scopes__in", ("propose", "publish", "propose publish"))),
                name="trusted_publisher_scopes_known",
            ),
        ),
    ]
