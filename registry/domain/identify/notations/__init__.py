"""Readers of what people write about machines: flags, lists, notations of builds, products."""
