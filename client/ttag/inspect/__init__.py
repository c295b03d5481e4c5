"""What a file was built for: its headers, notes and attributes. Nothing in it is executed."""
