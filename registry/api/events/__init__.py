"""The event log over the API."""
