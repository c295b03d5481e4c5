"""What tools print about a machine."""
