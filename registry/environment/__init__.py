"""Values from environment variables, validated at start. `registry.settings` reads them."""
