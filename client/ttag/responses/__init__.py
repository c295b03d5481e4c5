"""The responses of a registry, as typed values."""
