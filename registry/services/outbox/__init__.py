"""Mail on its way: requests queue it with their write, the worker sends it.

docs/architecture.md lists which mails exist, with their texts and to whom they go.
"""
