"""Actions: one declaration each, which pages, API and admin offer."""
