#!/usr/bin/env python3
"""Django's command line for the registry."""

from registry.command_line import main

if __name__ == "__main__":
    main()
