"""Databases for Django: the settings of a connection, and a backend for SQLite and PostgreSQL."""
