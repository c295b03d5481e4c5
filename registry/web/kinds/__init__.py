"""The pages of kinds and their options."""
