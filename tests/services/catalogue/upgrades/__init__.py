"""Loading a new catalogue into a registry with local revisions, versions and names."""
