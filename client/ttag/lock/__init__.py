"""The lock of a project: its text, what it answers, and how it changes."""
