"""What `verifying.verify` looks at, a module for each part of what is stored."""
