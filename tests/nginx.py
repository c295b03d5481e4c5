"""An nginx that an ordinary user can run in a folder."""

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.compilers.tools import tool
from tests.patience import PATIENCE
from tests.serving import ROOT, free_port, wait_for

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


@contextmanager
def nodes_behind_nginx(
    folder: Path, nodes: Sequence[int], name: str = "nodes.conf"
) -> Iterator[int]:
    """Run nginx in front of the ports of two nodes, as docs/operating says, and yield its port."""
    program, port = tool("nginx", folders="/usr/sbin"), free_port()
    text = (ROOT / "docs/operating" / name).read_text()
    addresses = {"192.0.2.10:80": port, "192.0.2.11:8000": nodes[0], "192.0.2.12:8000": nodes[1]}
    for address, local_port in addresses.items():
        assert address in text
        text = text.replace(address, f"127.0.0.1:{local_port}")
    config = write_configuration(folder, text)
    command = [program, "-e", str(folder / "log"), "-c", str(config), "-g", "daemon off;"]
    process = subprocess.Popen(command)
    try:
        wait_for(port)
        yield port
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)
