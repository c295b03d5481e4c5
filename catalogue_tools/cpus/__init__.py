"""Generators of processors: architectures, cores, families and products."""
