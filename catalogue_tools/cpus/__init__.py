"""Subjects that generate processors: architectures, cores, families and products."""
