"""The configuration of an nginx that an ordinary user can run in a folder."""

from pathlib import Path

# Packaged nginx writes to folders of root by default, so each one is overridden.
CONFIG = """\
pid {folder}/pid;
error_log {folder}/log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {http}
}}
"""


def write_configuration(folder: Path, http: str) -> Path:
    """Write the configuration with the text of its http block; return the file."""
    file = folder / "nginx.conf"
    file.write_text(CONFIG.format(folder=folder, http=http))
    return file
