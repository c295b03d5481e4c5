"""Give columns the words of the code. Rows stay as they are, those of the log included.

`registry.services.operations.restore` maps the old names in backups.
"""

from django.db import migrations, models
from django.db.models import Q

ACTIONS = ["submit", "revise", "comment", "ask", "approve", "accept", "reject", "withdraw"]


class Migration(migrations.Migration):
    dependencies = (("registry", "0006_four_eyes"),)

    operations = [
        migrations.RemoveConstraint(model_name="turn", name="turn_act_known"),
        migrations.RenameField(model_name="turn", old_name="act", new_name="action"),
        migrations.AddConstraint(
            model_name="turn",
            constraint=models.CheckConstraint(
                condition=Q(action__in=ACTIONS), name="turn_action_known"
            ),
        ),
        migrations.RenameField(model_name="saveddraft", old_name="typed", new_name="form_data"),
    ]
