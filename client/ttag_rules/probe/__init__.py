"""What tools print about a machine, and what follows from it."""
