"""Every value of a target has one row of a table: the step of a build that reads it, or a reason.

A value that no step reads is an error that names it, or a warning for who accepts that.
"""
