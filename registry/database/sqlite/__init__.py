"""The database backend for SQLite, named in the settings."""
