"""Under four-eyes, roles wait for a second person, and so do proposals that one has approved."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

from registry.models.fields import BytewiseField


class Migration(migrations.Migration):
    dependencies = (("registry", "0005_event_log"),)

    operations = [
        migrations.RemoveConstraint(model_name="pendingchange", name="pending_change_once"),
        migrations.RemoveConstraint(model_name="pendingchange", name="pending_change_kind_known"),
        migrations.AddField(
            model_name="pendingchange",
            name="member",
            field=models.ForeignKey(
                db_comment="who would get the role; null: another kind",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AlterField(
            model_name="pendingchange",
            name="after",
            field=BytewiseField(
                db_comment="the reference, policy or role requested", max_length=255
            ),
        ),
        migrations.AlterField(
            model_name="pendingchange",
            name="before",
            field=BytewiseField(
                db_comment="the reference, policy or role now; empty if there is none",
                max_length=255,
            ),
        ),
        migrations.AlterField(
            model_name="pendingchange",
            name="kind",
            field=models.CharField(
                choices=[
                    ("alias", "Point an alias"),
                    ("policy", "Set the policy"),
                    ("role", "Grant a role"),
                ],
                db_comment="alias, policy or role",
                max_length=6,
            ),
        ),
        migrations.AddConstraint(
            model_name="pendingchange",
            constraint=models.UniqueConstraint(
                condition=Q(member=None), fields=("kind", "subject"), name="pending_change_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="pendingchange",
            constraint=models.UniqueConstraint(
                fields=("namespace", "member"), name="pending_role_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="pendingchange",
            constraint=models.CheckConstraint(
                condition=Q(kind__in=["alias", "policy", "role"]), name="pending_change_kind_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="pendingchange",
            constraint=models.CheckConstraint(
                condition=Q(kind="role", member__isnull=False) | (~Q(kind="role") & Q(member=None)),
                name="pending_role_names_a_member",
            ),
        ),
        migrations.RemoveConstraint(model_name="turn", name="turn_act_known"),
        migrations.AddConstraint(
            model_name="turn",
            constraint=models.CheckConstraint(
                condition=Q(
                    act__in=[
                        "submit",
                        "revise",
                        "comment",
                        "ask",
                        "approve",
                        "accept",
                        "reject",
                        "withdraw",
                    ]
                ),
                name="turn_act_known",
            ),
        ),
    ]
