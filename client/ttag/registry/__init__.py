"""A registry that is asked over HTTP, and the tokens that it asks for."""
