"""Serializers describe the shapes of answers and requests, each once: for the bytes and OpenAPI."""
