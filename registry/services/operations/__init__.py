"""What keeps a registry running: backups, checks, redaction, figures."""
