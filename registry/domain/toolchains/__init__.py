"""Compiler triples and command-line flags that describe a target to its tools."""
