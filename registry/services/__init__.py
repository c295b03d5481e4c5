"""Use cases. Every write is atomic, serialized with other writes, and logged as an event."""
