"""Reading the event log."""
