"""HTTP concerns of API and pages: problems and their statuses, cache policies, rate limits."""
