"""The attributes by which tags are found, compared and sorted."""
