"""Subjects that generate the machine types of clouds."""
