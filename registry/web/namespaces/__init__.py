"""Pages about namespaces and for their owners."""
