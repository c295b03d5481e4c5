"""The event log as a page, and feeds."""
