"""What a pasted text describes: readings of machines and notations, each fact with its place."""
