"""The HTTP API: JSON under /api/v1/."""
