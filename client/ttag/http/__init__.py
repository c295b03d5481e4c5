"""HTTP with the standard library, and a cache of responses."""
