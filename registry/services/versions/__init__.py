"""Versions: drafting, publishing, resolving, comparing and yanking them."""
