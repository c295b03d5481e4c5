"""Operating a registry: backups, verification, redaction, health."""
