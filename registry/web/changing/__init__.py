"""Published tags changed: withdrawn, renamed, made to follow their parents."""
