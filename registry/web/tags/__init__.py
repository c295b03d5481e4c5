"""The page of a tag, actions on tags and versions, and badges."""
