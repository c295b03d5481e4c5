"""The form that submits, revises and publishes hardware profiles."""
