"""POST identify: what a pasted text describes."""
