"""Use cases, one verb each. All writes are atomic, in one order, and leave an event."""
