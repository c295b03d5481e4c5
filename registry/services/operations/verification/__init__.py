"""The checks of `verify`, one module for each part of the database."""
