"""The version of a release: of this package, of its CMake package and of the registry."""

__version__ = "0.2.0"
