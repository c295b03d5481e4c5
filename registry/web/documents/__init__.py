"""The documentation: Markdown documents of this repository as pages."""
