"""Decorators, error pages and other parts shared by all pages."""
