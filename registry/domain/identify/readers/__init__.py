"""Readers of what tools and programs print, one module for each form."""
