"""The pages of accounts: sign-in and settings, tokens, and the signed-in user's work."""
