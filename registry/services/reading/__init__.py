"""What people and programs read about tags, versions and namespaces, besides resolving."""
