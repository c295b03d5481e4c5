"""Rules on targets that the registry and its client apply alike. Imports neither of them.

Names and selectors, nodes and pointers, triples, what tools print about a machine, whether code
runs on one, and other tools' notations of a target. Decision 175.
"""
