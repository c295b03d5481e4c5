"""A new catalogue, loaded where others have made revisions, versions and names of their own."""
