"""The face for programs: JSON under /api/v1/."""
