"""Generators of the machine types of clouds."""
