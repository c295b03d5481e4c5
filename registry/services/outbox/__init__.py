"""Mail on its way: requests queue it with their write, the worker sends it."""
