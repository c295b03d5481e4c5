"""The checks of `verify`, by part of the database."""
