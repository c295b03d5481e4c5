"""Record the output of all formats for every example, in a registry of its own."""

import json
import logging
import os
import sys
import tempfile
from pathlib import Path

import django
from django.core.management import call_command
from django.test import Client


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="registry-examples-") as folder:
        os.environ.pop("DATABASE_URL", None)
        os.environ |= {"REGISTRY_VAR": folder, "REGISTRY_CATALOGUE": "basic"}
        os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
        Path(folder, "static").mkdir()  # or WhiteNoise warns
        django.setup()
        logging.disable()  # the access log
        call_command("migrate", verbosity=0)
        call_command("load_catalogue")
        write()


def write() -> None:
    """Rewrite the formats in each file; for a new example, also its targets and tuning keys."""
    from tests.examples.stated import (  # noqa: PLC0415 - needs Django's applications
        FORMATS,
        path_of,
        references,
        resolved,
        stated,
        written,
    )

    client = Client(SERVER_NAME="localhost")
    for reference in references():
        path = path_of(reference)
        source = stated(reference) if path.exists() else resolved(client, reference)
        content = {
            "target": source["target"],
            "tuning_keys": source["tuning_keys"],
            "formats": {form: written(client, reference, form) for form in FORMATS},
        }
        path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        sys.stdout.write(f"{path.name}\n")


if __name__ == "__main__":
    main()
