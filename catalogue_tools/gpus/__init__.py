"""GPUs and neural processors, by vendor."""
