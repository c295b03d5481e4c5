#!/usr/bin/env python3
"""Django's command line for the registry."""

import os
import sys
from importlib import import_module

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

from registry.services.core import request_ids


def main() -> None:
    settings = os.environ.setdefault("DJANGO_SETTINGS_MODULE", "registry.settings")
    try:
        import_module(settings)
    except ImproperlyConfigured as error:
        sys.exit(f"manage.py: {error}")  # a sentence for the operator, not a traceback
    with request_ids.request_context(request_ids.new_command_id(" ".join(sys.argv[1:2]))):
        execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
