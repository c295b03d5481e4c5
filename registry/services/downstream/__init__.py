"""What is made from a tag: what a change would mean for it, and making it follow."""
