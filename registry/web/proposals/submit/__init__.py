"""Hardware profiles on their way in: typed, checked, looked at, submitted."""
