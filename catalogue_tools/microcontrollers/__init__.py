"""Generators of microcontrollers and their boards."""
