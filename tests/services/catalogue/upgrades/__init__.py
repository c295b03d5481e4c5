"""Loading a new catalogue into a registry with other people's revisions, versions and names."""
