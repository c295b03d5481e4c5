"""The curated data that ships with the code, published through the same services as anybody's."""
