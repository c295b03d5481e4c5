"""The page that says what a pasted text describes."""
