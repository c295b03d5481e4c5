"""Target Tag Registry: compile targets by name."""
