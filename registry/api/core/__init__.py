"""Requests, responses, errors and the OpenAPI document: parts that all resources share."""
