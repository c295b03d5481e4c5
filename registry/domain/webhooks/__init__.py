"""Webhooks: which addresses they may reach, and how their bodies are signed."""
