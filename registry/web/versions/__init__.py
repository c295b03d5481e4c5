"""Pages about one version, or about two compared."""
