"""Search over the API."""
