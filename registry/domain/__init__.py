"""The rules of the registry, in pure Python: no Django, no I/O, frozen dataclasses in and out."""
