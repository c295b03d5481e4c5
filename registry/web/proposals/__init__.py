"""Proposals as everybody reads them, and as curators decide on them."""
