"""Decorators, error pages and other parts that all pages share."""
