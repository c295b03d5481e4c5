"""What people have here of their own: an account, tokens, what concerns them, their namespaces."""
