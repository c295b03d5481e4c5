"""What a pasted text describes, and the tags of it."""
