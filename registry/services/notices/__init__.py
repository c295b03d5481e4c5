"""News for each account: who is concerned by an event, and how they hear of it."""
