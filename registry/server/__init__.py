"""The server's entry point, ahead of Django: receives requests and assigns them to threads."""
