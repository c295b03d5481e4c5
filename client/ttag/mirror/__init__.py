"""Mirrors: a registry as plain files, on a disk or on any web server. See docs/mirrors.md."""
