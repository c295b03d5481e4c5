"""Targets as IREE writes them: flags of iree-compile, and attributes of its intermediate code."""
