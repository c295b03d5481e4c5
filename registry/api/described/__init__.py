"""What the OpenAPI document says of each resource: parameters, answers, headers, errors."""
