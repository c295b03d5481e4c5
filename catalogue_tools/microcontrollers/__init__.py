"""Subjects that generate microcontrollers and their boards."""
