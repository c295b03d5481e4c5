"""Tags of the machines that a pasted text describes."""
