"""The rules that registry and client share."""
