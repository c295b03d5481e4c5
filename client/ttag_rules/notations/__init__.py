"""Other tools' notations of a target: functions from a resolved target to their text."""
