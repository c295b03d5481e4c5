"""What the faces need of HTTP: problems and their statuses, cache policies, rate limits."""
