"""Every table of the registry, and the one behind Django's cache."""

import uuid

import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.core.management import call_command
from django.db import migrations, models

import registry.models.fields


def create_cache_table(apps, schema_editor):
    """Create the table of `settings.CACHES` unless it exists."""
    call_command("createcachetable", database=schema_editor.connection.alias, verbosity=0)


def drop_cache_table(apps, schema_editor):
    schema_editor.execute("DROP TABLE IF EXISTS registry_cache")


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="User",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                (
                    "last_login",
                    models.DateTimeField(blank=True, null=True, verbose_name="last login"),
                ),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "username",
                    models.CharField(
                        error_messages={"unique": "A user with that username already exists."},
                        help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
                        max_length=150,
                        unique=True,
                        validators=[django.contrib.auth.validators.UnicodeUsernameValidator()],
                        verbose_name="username",
                    ),
                ),
                (
                    "first_name",
                    models.CharField(blank=True, max_length=150, verbose_name="first name"),
                ),
                (
                    "last_name",
                    models.CharField(blank=True, max_length=150, verbose_name="last name"),
                ),
                (
                    "email",
                    models.EmailField(blank=True, max_length=254, verbose_name="email address"),
                ),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                        verbose_name="active",
                    ),
                ),
                (
                    "date_joined",
                    models.DateTimeField(
                        default=django.utils.timezone.now, verbose_name="date joined"
                    ),
                ),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "verbose_name": "user",
                "verbose_name_plural": "users",
                "abstract": False,
            },
            managers=[
                ("objects", django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name="Namespace",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "name",
                    registry.models.fields.BytewiseField(
                        db_comment="first segment of names", max_length=64, unique=True
                    ),
                ),
                (
                    "title",
                    models.CharField(db_comment="what people call the owner", max_length=120),
                ),
                (
                    "description",
                    models.TextField(blank=True, db_comment="one sentence", default=""),
                ),
                ("url", models.URLField(blank=True, db_comment="the owner's own page", default="")),
                (
                    "policy",
                    models.CharField(
                        choices=[
                            ("members", "Members publish"),
                            (
                                "curators",
                                "Everything is reviewed: members propose, curators publish",
                            ),
                            ("four-eyes", "Everything is reviewed, and by somebody else"),
                        ],
                        db_comment="who publishes: members, curators, or nobody without another (four-eyes)",
                        default="members",
                        max_length=9,
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True, db_comment="UTC")),
            ],
            options={
                "ordering": ("name",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("name__regex", "^[a-z0-9]")),
                        name="namespace_is_a_component",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("policy__in", ["members", "curators", "four-eyes"])),
                        name="namespace_policy_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "namespace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to="registry.namespace",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[("owner", "Owner"), ("curator", "Curator"), ("member", "Member")],
                        db_comment="owner, curator or member",
                        max_length=8,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("namespace", "user"), name="membership_once"),
                    models.CheckConstraint(
                        condition=models.Q(("role__in", ["owner", "curator", "member"])),
                        name="membership_role_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Token",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("label", models.CharField(db_comment="what the owner calls it", max_length=80)),
                (
                    "prefix",
                    models.CharField(
                        db_comment="public part, to find it by", max_length=12, unique=True
                    ),
                ),
                (
                    "digest",
                    models.CharField(
                        db_comment="SHA-256 of the whole token, in hex", max_length=64
                    ),
                ),
                (
                    "scopes",
                    models.CharField(
                        db_comment="space-separated: propose publish ...", max_length=80
                    ),
                ),
                (
                    "pattern",
                    registry.models.fields.BytewiseField(
                        db_comment="one namespace, or ns/prefix/*; * for all", max_length=183
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True, db_comment="UTC")),
                (
                    "expires",
                    models.DateTimeField(blank=True, db_comment="UTC; null: never", null=True),
                ),
                (
                    "last_used",
                    models.DateTimeField(blank=True, db_comment="UTC, to the hour", null=True),
                ),
                (
                    "revoked",
                    models.DateTimeField(blank=True, db_comment="UTC; null: in force", null=True),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("digest__regex", "^[0-9a-f]{64}$")),
                        name="token_keeps_no_secret",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Kind",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "name",
                    registry.models.fields.BytewiseField(
                        db_comment="llvm, executor/aot, flow ...", max_length=64, unique=True
                    ),
                ),
            ],
            options={
                "ordering": ("name",),
            },
        ),
        migrations.CreateModel(
            name="KindRevision",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="revisions",
                        to="registry.kind",
                    ),
                ),
                ("number", models.PositiveIntegerField(db_comment="1, 2, 3 ... within the kind")),
                ("source", models.TextField(db_comment="JSON Schema as the curator wrote it")),
                ("digest", models.CharField(db_comment="sha256:<hex> of source", max_length=71)),
                ("created", models.DateTimeField(auto_now_add=True, db_comment="UTC")),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("kind", "number"),
                "constraints": [
                    models.UniqueConstraint(fields=("kind", "number"), name="kind_revision_once"),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)), name="kind_revision_counts_from_one"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Tag",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "text",
                    registry.models.fields.BytewiseField(
                        db_comment="namespace/name[:variant]", max_length=183, unique=True
                    ),
                ),
                (
                    "namespace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tags",
                        to="registry.namespace",
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True, db_comment="UTC")),
                (
                    "is_family",
                    models.BooleanField(
                        db_comment="describes what several machines share; nobody builds for it",
                        default=False,
                    ),
                ),
            ],
            options={
                "ordering": ("text",),
            },
        ),
        migrations.CreateModel(
            name="Name",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "text",
                    registry.models.fields.BytewiseField(
                        db_comment="what stands before the @ of a reference",
                        max_length=183,
                        unique=True,
                    ),
                ),
                (
                    "tag",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="names",
                        to="registry.tag",
                    ),
                ),
                (
                    "namespace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="names",
                        to="registry.namespace",
                    ),
                ),
                (
                    "folded",
                    registry.models.fields.BytewiseField(
                        db_comment="letters and digits only, for search", max_length=183
                    ),
                ),
                ("is_alias", models.BooleanField(db_comment="not the tag's own spelling")),
                (
                    "major",
                    models.PositiveIntegerField(
                        db_comment="an alias's selector, if any", null=True
                    ),
                ),
                (
                    "minor",
                    models.PositiveIntegerField(
                        db_comment="an alias's selector, if any", null=True
                    ),
                ),
                (
                    "patch",
                    models.PositiveIntegerField(
                        db_comment="an alias's selector, if any", null=True
                    ),
                ),
                (
                    "digest",
                    models.CharField(
                        db_comment="an alias's selector, or empty", default="", max_length=71
                    ),
                ),
            ],
            options={
                "ordering": ("text",),
                "indexes": [
                    models.Index(
                        django.db.models.functions.text.Length("folded"),
                        models.F("text"),
                        models.F("folded"),
                        models.F("tag"),
                        name="name_by_length",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("is_alias", False)),
                        fields=("tag",),
                        name="name_of_tag_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("is_alias", True),
                            models.Q(("digest", ""), ("major", None)),
                            _connector="OR",
                        ),
                        name="name_of_tag_floats",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("minor", None), ("major__isnull", False), _connector="OR"),
                            models.Q(("patch", None), ("minor__isnull", False), _connector="OR"),
                            models.Q(("digest", ""), ("major", None), _connector="OR"),
                        ),
                        name="name_selector_whole",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Gram",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "name",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="grams",
                        to="registry.name",
                    ),
                ),
                (
                    "text",
                    registry.models.fields.BytewiseField(
                        db_comment="three characters of the folded name", max_length=3
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(models.F("text"), models.F("name"), name="gram_names")],
                "constraints": [models.UniqueConstraint(fields=("name", "text"), name="gram_once")],
            },
        ),
        migrations.CreateModel(
            name="GramCount",
            fields=[
                (
                    "text",
                    registry.models.fields.BytewiseField(
                        db_comment="three characters",
                        max_length=3,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "names",
                    models.PositiveIntegerField(db_comment="how many names hold them", default=0),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Deprecation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "tag",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="deprecations",
                        to="registry.tag",
                    ),
                ),
                (
                    "sequence",
                    models.PositiveSmallIntegerField(db_comment="1, 2, 3 ... within the tag"),
                ),
                ("deprecated", models.BooleanField(db_comment="false: taken back")),
                ("reason", models.TextField(db_comment="shown to everybody who resolves the tag")),
                (
                    "successor",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="registry.tag",
                    ),
                ),
                (
                    "actor",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True, db_comment="UTC")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("tag", "sequence"), name="deprecation_once"),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True),
                        name="deprecation_says_why",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Version",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "tag",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="versions",
                        to="registry.tag",
                    ),
                ),
                (
                    "major",
                    models.PositiveIntegerField(
                        db_comment="moves when tuning records stop matching"
                    ),
                ),
                ("minor", models.PositiveIntegerField(db_comment="moves when a rebuild is due")),
                (
                    "patch",
                    models.PositiveIntegerField(db_comment="moves when there is nothing to do"),
                ),
                (
                    "kind",
                    models.CharField(
                        db_comment="of the root node; empty for a mixin", max_length=64
                    ),
                ),
                ("source", models.TextField(db_comment="the body as its author wrote it, JSON")),
                (
                    "target",
                    models.TextField(db_comment="the resolved body, RFC 8785 canonical JSON"),
                ),
                ("size", models.PositiveIntegerField(db_comment="bytes of target")),
                (
                    "digest",
                    models.CharField(
                        db_comment="sha256:<hex> of target", db_index=True, max_length=71
                    ),
                ),
                (
                    "provenance",
                    models.TextField(db_comment="JSON: pointer to exact reference, null for own"),
                ),
                (
                    "tuning_keys",
                    models.TextField(db_comment="JSON: leaf's pointer to its tuning key"),
                ),
                (
                    "build_digest",
                    models.CharField(
                        blank=True,
                        db_comment="bk1:<hex> of what compilers read; empty for a mixin",
                        max_length=68,
                    ),
                ),
                (
                    "is_host_dependent",
                    models.BooleanField(
                        db_comment="the compiler completes a leaf from the building machine: "
                        "no build key"
                    ),
                ),
                ("lineage", models.TextField(db_comment="JSON: exact references, breadth first")),
                (
                    "dependencies",
                    models.TextField(db_comment="JSON: direct uses, as resolutions show them"),
                ),
                (
                    "depth",
                    models.PositiveSmallIntegerField(
                        db_comment="longest chain of versions below it"
                    ),
                ),
                ("message", models.TextField(blank=True, db_comment="why it was published")),
                (
                    "sources",
                    models.TextField(db_comment="JSON: https URLs that vouch for it", default="[]"),
                ),
                ("published", models.DateTimeField(db_comment="UTC")),
                (
                    "publisher",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "author",
                    models.ForeignKey(
                        db_comment="who wrote the body; null: the publisher",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tag", "major", "minor", "patch"), name="version_number_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("major__gte", 1)), name="version_counts_from_one"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("digest__regex", "^sha256:[0-9a-f]{64}$")),
                        name="version_digest_form",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind", ""), _negated=True),
                            models.Q(
                                ("build_digest", ""),
                                ("is_host_dependent", False),
                                ("tuning_keys", "{}"),
                            ),
                            _connector="OR",
                        ),
                        name="version_mixin_has_no_keys",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("kind", ""),
                            ("build_digest__regex", "^bk1:[0-9a-f]{64}$"),
                            _connector="OR",
                        ),
                        name="version_build_digest_form",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("depth__lte", 32)), name="version_depth_bounded"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="VersionKind",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="checked_against",
                        to="registry.version",
                    ),
                ),
                (
                    "revision",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="versions",
                        to="registry.kindrevision",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("version", "revision"), name="version_kind_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Dependency",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="uses",
                        to="registry.version",
                    ),
                ),
                (
                    "position",
                    models.PositiveSmallIntegerField(db_comment="the root's parents first"),
                ),
                ("pointer", models.TextField(db_comment="JSON pointer of the node in the target")),
                (
                    "requested",
                    registry.models.fields.BytewiseField(
                        db_comment="the reference as written", max_length=255
                    ),
                ),
                (
                    "name",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="uses",
                        to="registry.name",
                    ),
                ),
                (
                    "is_floating",
                    models.BooleanField(db_comment="another version could answer to it later"),
                ),
                (
                    "resolved",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="used_by",
                        to="registry.version",
                    ),
                ),
                ("relation", models.CharField(db_comment="inherits or composes", max_length=8)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("version", "position"), name="dependency_once"),
                    models.CheckConstraint(
                        condition=models.Q(("relation__in", ["inherits", "composes"])),
                        name="dependency_relation_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("version", models.F("resolved")), _negated=True),
                        name="dependency_on_another",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Ancestry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ancestry",
                        to="registry.version",
                    ),
                ),
                ("position", models.PositiveSmallIntegerField(db_comment="breadth first")),
                ("distance", models.PositiveSmallIntegerField(db_comment="1 for a direct use")),
                (
                    "ancestor",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="descent",
                        to="registry.version",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("version", "position"), name="ancestry_order"),
                    models.UniqueConstraint(fields=("version", "ancestor"), name="ancestry_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Withdrawal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="withdrawals",
                        to="registry.version",
                    ),
                ),
                (
                    "sequence",
                    models.PositiveSmallIntegerField(db_comment="1, 2, 3 ... within the version"),
                ),
                ("yanked", models.BooleanField(db_comment="false: taken back")),
                (
                    "reason",
                    models.TextField(db_comment="shown to everybody who resolves an exact pin"),
                ),
                (
                    "actor",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True, db_comment="UTC")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("version", "sequence"), name="withdrawal_once"),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True),
                        name="withdrawal_says_why",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Proposal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "tag",
                    registry.models.fields.BytewiseField(
                        db_comment="the tag it is for, which need not exist yet", max_length=183
                    ),
                ),
                (
                    "namespace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="proposals",
                        to="registry.namespace",
                    ),
                ),
                (
                    "submitter",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="proposals",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        db_comment="open, accepted ...", default="open", max_length=16
                    ),
                ),
                (
                    "revision",
                    models.PositiveIntegerField(
                        db_comment="number of the newest revision", default=1
                    ),
                ),
                (
                    "version",
                    models.OneToOneField(
                        db_comment="if accepted",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="proposal",
                        to="registry.version",
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True, db_comment="UTC")),
                ("changed", models.DateTimeField(db_comment="UTC: of the last turn")),
            ],
            options={
                "indexes": [
                    models.Index(fields=["state", "namespace", "id"], name="proposal_queue"),
                    models.Index(fields=["submitter", "state"], name="proposal_by_submitter"),
                    models.Index(fields=["tag"], name="proposal_by_tag"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "state__in",
                                ["open", "changes-asked", "accepted", "rejected", "withdrawn"],
                            )
                        ),
                        name="proposal_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "accepted"), ("version__isnull", False)),
                            models.Q(
                                models.Q(("state", "accepted"), _negated=True), ("version", None)
                            ),
                            _connector="OR",
                        ),
                        name="proposal_accepted_is_published",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("revision__gte", 1)),
                        name="proposal_counts_revisions_from_one",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ProposalRevision",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "proposal",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="revisions",
                        to="registry.proposal",
                    ),
                ),
                (
                    "number",
                    models.PositiveIntegerField(db_comment="1, 2, 3 ... within the proposal"),
                ),
                (
                    "base",
                    models.CharField(
                        blank=True,
                        db_comment="version last published when written; or empty",
                        max_length=32,
                    ),
                ),
                ("source", models.TextField(db_comment="the body as its author wrote it, JSON")),
                (
                    "message",
                    models.TextField(blank=True, db_comment="why; becomes the version's message"),
                ),
                (
                    "sources",
                    models.TextField(db_comment="JSON: https URLs that vouch for it", default="[]"),
                ),
                ("created", models.DateTimeField(auto_now_add=True, db_comment="UTC")),
            ],
            options={
                "ordering": ("proposal", "number"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("proposal", "number"), name="proposal_revision_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)),
                        name="proposal_revision_counts_from_one",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Turn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "proposal",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="turns",
                        to="registry.proposal",
                    ),
                ),
                (
                    "sequence",
                    models.PositiveIntegerField(db_comment="1, 2, 3 ... within the proposal"),
                ),
                ("act", models.CharField(db_comment="submit, comment, accept ...", max_length=16)),
                (
                    "revision",
                    models.PositiveIntegerField(db_comment="number of the revision it is about"),
                ),
                ("text", models.TextField(blank=True, db_comment="what was said")),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True, db_comment="UTC")),
                (
                    "key",
                    models.CharField(
                        blank=True,
                        db_comment="of the form it was sent with, or empty",
                        default="",
                        max_length=36,
                    ),
                ),
            ],
            options={
                "ordering": ("proposal", "sequence"),
                "constraints": [
                    models.UniqueConstraint(fields=("proposal", "sequence"), name="turn_once"),
                    models.UniqueConstraint(
                        condition=models.Q(("key", ""), _negated=True),
                        fields=("author", "key"),
                        name="turn_sent_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "act__in",
                                [
                                    "submit",
                                    "revise",
                                    "comment",
                                    "ask",
                                    "accept",
                                    "reject",
                                    "withdraw",
                                ],
                            )
                        ),
                        name="turn_act_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="NamespaceRequest",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("new", "New namespace"), ("claim", "Claim")],
                        db_comment="new or claim",
                        max_length=5,
                    ),
                ),
                (
                    "name",
                    registry.models.fields.BytewiseField(
                        db_comment="of the namespace", max_length=64
                    ),
                ),
                (
                    "title",
                    models.CharField(
                        blank=True, db_comment="of a new namespace", default="", max_length=120
                    ),
                ),
                ("url", models.URLField(db_comment="the page of the vendor, project or group")),
                (
                    "evidence",
                    models.TextField(
                        blank=True, db_comment="why the requester speaks for the vendor", default=""
                    ),
                ),
                (
                    "reason",
                    models.TextField(db_comment="what the requester wants to publish or change"),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "open"),
                            ("accepted", "accepted"),
                            ("rejected", "rejected"),
                            ("withdrawn", "withdrawn"),
                        ],
                        db_comment="open, accepted ...",
                        default="open",
                        max_length=9,
                    ),
                ),
                (
                    "decision",
                    models.TextField(
                        blank=True, db_comment="the reason of who decided", default=""
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True, db_comment="UTC")),
                ("decided", models.DateTimeField(db_comment="UTC; null: open", null=True)),
                (
                    "decider",
                    models.ForeignKey(
                        db_comment="or who withdrew it",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "requester",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="namespace_requests",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "indexes": [
                    models.Index(fields=["state", "id"], name="namespace_request_queue"),
                    models.Index(fields=["name"], name="namespace_request_by_name"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["new", "claim"])),
                        name="namespace_request_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["open", "accepted", "rejected", "withdrawn"])
                        ),
                        name="namespace_request_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("decided", None),
                                ("decider", None),
                                ("decision", ""),
                                ("state", "open"),
                            ),
                            models.Q(
                                models.Q(("state", "open"), _negated=True),
                                ("decided__isnull", False),
                                ("decider__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="namespace_request_decided_by_somebody",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("decision", ""), ("state", "rejected"), _negated=True),
                        name="namespace_request_rejected_with_reason",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("evidence", ""), ("kind", "claim"), _negated=True),
                        name="namespace_request_claim_has_evidence",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state", "open")),
                        fields=("requester", "name"),
                        name="namespace_request_open_once",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PendingChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("alias", "Point an alias"), ("policy", "Set the policy")],
                        db_comment="alias or policy",
                        max_length=6,
                    ),
                ),
                (
                    "subject",
                    registry.models.fields.BytewiseField(
                        db_comment="the alias, or the namespace", max_length=183
                    ),
                ),
                (
                    "before",
                    registry.models.fields.BytewiseField(
                        db_comment="the reference or policy it has; empty for a new alias",
                        max_length=255,
                    ),
                ),
                (
                    "after",
                    registry.models.fields.BytewiseField(
                        db_comment="the reference or policy it would get", max_length=255
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True, db_comment="UTC")),
                (
                    "namespace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pending_changes",
                        to="registry.namespace",
                    ),
                ),
                (
                    "requested_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "constraints": [
                    models.UniqueConstraint(fields=("kind", "subject"), name="pending_change_once"),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["alias", "policy"])),
                        name="pending_change_kind_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Session",
            fields=[
                (
                    "session_key",
                    models.CharField(
                        max_length=40,
                        primary_key=True,
                        serialize=False,
                        verbose_name="session key",
                    ),
                ),
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                (
                    "network",
                    models.CharField(
                        db_comment="that sent the stored form, of a visitor; or empty",
                        default="",
                        max_length=64,
                    ),
                ),
                ("size", models.PositiveIntegerField(db_comment="bytes of the row, roughly")),
                (
                    "account",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "session",
                "verbose_name_plural": "sessions",
                "indexes": [
                    models.Index(fields=["account", "network", "size"], name="session_sizes")
                ],
            },
        ),
        migrations.CreateModel(
            name="SavedDraft",
            fields=[
                (
                    "key",
                    models.UUIDField(
                        db_comment="as in its address",
                        default=uuid.uuid4,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="drafts",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "proposal",
                    models.ForeignKey(
                        db_comment="which it would revise",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="registry.proposal",
                    ),
                ),
                ("tag", models.TextField(blank=True, db_comment="as typed, to tell drafts apart")),
                ("typed", models.TextField(db_comment="JSON: the form's fields as typed")),
                (
                    "saves",
                    models.PositiveIntegerField(db_comment="how often it was saved", default=1),
                ),
                ("created", models.DateTimeField(auto_now_add=True, db_comment="UTC")),
                ("changed", models.DateTimeField(auto_now=True, db_comment="UTC")),
            ],
            options={
                "indexes": [models.Index(fields=["owner", "-changed"], name="draft_by_owner")],
            },
        ),
        migrations.CreateModel(
            name="LintReport",
            fields=[
                (
                    "version",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="lint_report",
                        serialize=False,
                        to="registry.version",
                    ),
                ),
                (
                    "lints",
                    models.TextField(db_comment="JSON: the lints, as resolutions show them"),
                ),
                (
                    "count",
                    models.PositiveSmallIntegerField(db_comment="number of lints, for lists"),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("count__gte", 1)), name="lint_report_has_lints"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                (
                    "tag",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="entry",
                        serialize=False,
                        to="registry.tag",
                    ),
                ),
                (
                    "text",
                    registry.models.fields.BytewiseField(
                        db_comment="the tag's, to sort by without a join",
                        max_length=183,
                        unique=True,
                    ),
                ),
                (
                    "namespace",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="registry.namespace",
                    ),
                ),
                (
                    "version",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entry",
                        to="registry.version",
                    ),
                ),
                (
                    "kind",
                    registry.models.fields.BytewiseField(
                        db_comment="of the root node; empty for a mixin", max_length=64
                    ),
                ),
                (
                    "vendor",
                    registry.models.fields.BytewiseField(
                        db_comment="who makes the hardware, or empty", max_length=128
                    ),
                ),
                (
                    "arch",
                    registry.models.fields.BytewiseField(
                        db_comment="x86_64, sm_90, gfx942 ... or empty", max_length=128
                    ),
                ),
                (
                    "family",
                    registry.models.fields.BytewiseField(
                        db_comment="of the hardware, or empty", max_length=128
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("active", "Active"),
                            ("deprecated", "Deprecated"),
                            ("yanked", "Yanked"),
                        ],
                        db_comment="of the tag as a whole",
                        max_length=10,
                    ),
                ),
                (
                    "leaves",
                    models.PositiveIntegerField(
                        db_comment="values outside hardware; for near duplicates"
                    ),
                ),
            ],
            options={
                "ordering": ("text",),
                "indexes": [
                    models.Index(fields=["namespace", "text"], name="entry_by_namespace"),
                    models.Index(fields=["kind", "text"], name="entry_by_kind"),
                    models.Index(fields=["vendor", "text"], name="entry_by_vendor"),
                    models.Index(fields=["arch", "text"], name="entry_by_arch"),
                    models.Index(fields=["family", "text"], name="entry_by_family"),
                    models.Index(
                        fields=["namespace", "kind", "vendor", "arch", "family", "status"],
                        name="entry_facets",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("status", "yanked"), ("version", None)),
                            models.Q(
                                models.Q(("status", "yanked"), _negated=True),
                                ("version__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="entry_has_version_unless_yanked",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Attribute",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "tag",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="attributes",
                        to="registry.tag",
                    ),
                ),
                (
                    "pointer",
                    registry.models.fields.BytewiseField(
                        db_comment="JSON pointer; of a list, the list's", max_length=512
                    ),
                ),
                (
                    "name",
                    registry.models.fields.BytewiseField(
                        db_comment="the pointer's last token", max_length=128
                    ),
                ),
                (
                    "text",
                    registry.models.fields.BytewiseField(
                        db_comment="the value as text: sm_90, 8, true", max_length=256
                    ),
                ),
                (
                    "number",
                    models.FloatField(db_comment="the value, where it is a number", null=True),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["tag", "name", "number", "pointer"], name="attribute_of_tag"
                    ),
                    models.Index(
                        fields=["name", "text", "tag", "pointer"], name="attribute_by_text"
                    ),
                    models.Index(
                        condition=models.Q(("number__isnull", False)),
                        fields=["name", "number", "tag", "pointer"],
                        name="attribute_by_number",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                (
                    "number",
                    models.PositiveBigIntegerField(
                        db_comment="1, 2, 3 ... no gaps", primary_key=True, serialize=False
                    ),
                ),
                (
                    "action",
                    models.CharField(
                        db_comment="version.published, version.yanked ...", max_length=32
                    ),
                ),
                (
                    "subject",
                    registry.models.fields.BytewiseField(
                        db_comment="tag, exact reference, kind or namespace", max_length=255
                    ),
                ),
                (
                    "namespace",
                    registry.models.fields.BytewiseField(
                        blank=True, db_comment="or empty", default="", max_length=64
                    ),
                ),
                (
                    "actor",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("detail", models.TextField(db_comment="JSON: what the action adds", default="{}")),
                ("created", models.DateTimeField(auto_now_add=True, db_comment="UTC")),
                (
                    "request",
                    models.CharField(
                        blank=True,
                        db_comment="id of the request, as in the log",
                        default="",
                        max_length=64,
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
                "indexes": [
                    models.Index(fields=["namespace", "number"], name="event_by_namespace"),
                    models.Index(fields=["created"], name="event_by_day"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)), name="event_counts_from_one"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RecentUsage",
            fields=[
                (
                    "tag",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="recent_usage",
                        serialize=False,
                        to="registry.tag",
                    ),
                ),
                (
                    "text",
                    registry.models.fields.BytewiseField(
                        db_comment="the tag's, to sort by without a join", max_length=183
                    ),
                ),
                (
                    "resolves",
                    models.PositiveBigIntegerField(db_comment="of the 30 days that end with `day`"),
                ),
                (
                    "day",
                    models.DateField(
                        db_comment="UTC; earlier days are summed again", db_index=True
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        models.OrderBy(models.F("resolves"), descending=True),
                        models.F("text"),
                        name="usage_most_used",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("resolves__gte", 1)), name="recent_usage_counts"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="DailyUsage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "tag",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="daily_usage",
                        to="registry.tag",
                    ),
                ),
                ("day", models.DateField(db_comment="UTC", db_index=True)),
                (
                    "resolves",
                    models.PositiveBigIntegerField(db_comment="requests and references of batches"),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("tag", "day"), name="daily_usage_once"),
                    models.CheckConstraint(
                        condition=models.Q(("resolves__gte", 1)), name="daily_usage_counts"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AnswerRevision",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "number",
                    models.PositiveBigIntegerField(
                        db_comment="increases with every change of an answer"
                    ),
                ),
            ],
        ),
        migrations.RunPython(create_cache_table, drop_cache_table),
    ]
