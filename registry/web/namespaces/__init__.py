"""The pages of namespaces."""
