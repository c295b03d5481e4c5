"""Texts that people add to a discussion."""

from __future__ import annotations

from django.db import models

from registry.models.accounts import User


class Remark(models.Model):
    """The base of immutable entries in a discussion: who wrote what, and when."""

    text = models.TextField(blank=True, db_comment="the comment")
    author = models.ForeignKey(User, models.PROTECT, related_name="+")
    created = models.DateTimeField(auto_now_add=True, db_comment="UTC")
    key = models.CharField(
        max_length=36, blank=True, default="", db_comment="of the form it was sent with, or empty"
    )

    class Meta:
        abstract = True
