"""Templates name static files that exist; only a manifest, in production, would notice others."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders

TEMPLATES = Path(settings.BASE_DIR) / "templates"
STATIC = re.compile(r"""\{%\s*static\s+["']([^"']+)["']""")
PATHS = {
    (str(template.relative_to(TEMPLATES)), path)
    for template in TEMPLATES.rglob("*.html")
    for path in STATIC.findall(template.read_text())
}


def test_templates_name_static_files() -> None:
    assert len(PATHS) > 20


@pytest.mark.parametrize(("template", "path"), sorted(PATHS))
def test_static_file_exists(template: str, path: str) -> None:
    assert finders.find(path)


def test_every_stylesheet_and_script_is_used() -> None:
    folder = Path(settings.BASE_DIR) / "static" / "registry"
    files = {file for suffix in ("css", "js") for file in folder.rglob(f"*.{suffix}")}
    assert files
    texts = [file.read_text() for file in (*files, *TEMPLATES.rglob("*.html"))]
    assert [file.name for file in files if not any(file.name in text for text in texts)] == []
