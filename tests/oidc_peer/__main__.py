"""Sign in by npm's `oidc-provider`, as a browser does, at a running server.

    cd tests/oidc_peer && npm ci --ignore-scripts && cd ../.. && python -m tests.oidc_peer

By hand, because it needs node (docs/decisions/0187). `tests/web/accounts/test_identity_provider.py`
has a provider in Python, which also answers what no real one does.
"""

import html
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urljoin

import requests

from tests.patience import PATIENCE
from tests.serving import free_port, run_server

FOLDER = Path(__file__).parent
CLIENT = {
    "REGISTRY_OIDC_CLIENT_ID": "registry",
    "REGISTRY_OIDC_CLIENT_SECRET": "a secret: 100% + /",
    "REGISTRY_OIDC_NAME": "oidc-provider",
}


def main() -> None:
    """Sign up, sign out, sign in, confirm and be refused; print each step."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        variables = {"REGISTRY_OIDC_ISSUER": f"http://127.0.0.1:{port}", **CLIENT}
        with (
            run_server(Path(folder), variables) as server,
            provider(port, f"http://127.0.0.1:{server.port}/accounts/provider/login/callback/"),
        ):
            Browser(f"http://127.0.0.1:{server.port}").walk()
        with (
            run_server(
                Path(folder), variables | {"REGISTRY_OIDC_CLIENT_SECRET": "wrong"}
            ) as server,
            provider(port, f"http://127.0.0.1:{server.port}/accounts/provider/login/callback/"),
        ):
            Browser(f"http://127.0.0.1:{server.port}").be_refused()


@contextmanager
def provider(port: int, redirect: str) -> Iterator[None]:
    """Run the provider in a process of its own."""
    command = ["node", "provider.js", str(port), redirect]
    process = subprocess.Popen(command, cwd=FOLDER, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "listening\n"
        yield
    finally:
        process.terminate()
        process.wait()


def shown(page: requests.Response) -> str:
    """Return the status and the text of a page."""
    text = page.text.partition("<main")[2].partition("</main>")[0] or page.text
    return f"{page.status_code} {page.url}: {' '.join(re.sub('<[^>]*>', ' ', text).split())}"


class Browser:
    """A browser that keeps cookies, and the page that it shows."""

    def __init__(self, site: str) -> None:
        self.site = site
        self.session = requests.Session()
        self.page = requests.Response()

    def walk(self) -> None:
        """Go through everything that a provider is for."""
        self.press("/accounts/login/", "/accounts/provider/login/", next="/submit")
        self.sign_in_there("ada")
        assert 'value="ada.lovelace"' in self.page.text, shown(self.page)
        assert 'value="ada@example.org"' in self.page.text
        self.send("/accounts/provider/signup/", username="ada", email="")
        assert self.page.url == f"{self.site}/me/recovery-key?next=%2Fsubmit", self.page.url
        sys.stdout.write("signed up as ada\n")
        self.press("/accounts/logout/", "/accounts/logout/")
        self.press("/accounts/login/", "/accounts/provider/login/", next="/submit")
        assert self.page.url == f"{self.site}/submit", "still signed in there"
        sys.stdout.write("signed in again, without a password\n")
        self.press("/accounts/logout/", "/accounts/logout/")
        self.press("/accounts/login/", "/accounts/provider/login/")
        self.press("/me/recovery-key", "/me/recovery-key")
        assert "/accounts/provider/confirm/" in self.page.url, self.page.url
        self.send("/accounts/provider/login/", purpose="confirm", next="/me/recovery-key")
        self.sign_in_there("ada")
        assert "recovery key" in self.page.text.lower()
        assert self.page.ok, shown(self.page)
        sys.stdout.write("confirmed who I am by signing in there again\n")

    def be_refused(self) -> None:
        """Come back to a registry whose secret is wrong."""
        self.press("/accounts/login/", "/accounts/provider/login/")
        self.sign_in_there("ada")
        assert self.page.status_code == 502, shown(self.page)
        assert "oidc-provider could not show who you are" in self.page.text
        sys.stdout.write("a wrong secret signs nobody in\n")

    def press(self, page: str, action: str, **fields: str) -> None:
        """Open a page and send a form of it."""
        self.open(page)
        self.send(action, **fields)

    def open(self, url: str) -> None:
        self.page = self.session.get(urljoin(self.site, url), timeout=PATIENCE)

    def send(self, action: str, **fields: str) -> None:
        """Send a form to a path of the registry, and go where the answer leads."""
        (token,) = {*re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', self.page.text)} or {
            ""
        }
        data = {"csrfmiddlewaretoken": self.session.cookies.get("csrftoken", token), **fields}
        headers = {"Referer": self.page.url}
        url = urljoin(self.site, action)
        self.page = self.session.post(url, data, headers=headers, timeout=PATIENCE)
        if refresh := self.page.headers.get("Refresh"):
            self.open(refresh.removeprefix("0; url="))

    def sign_in_there(self, name: str) -> None:
        """Fill in the provider's pages until they lead back."""
        while not self.page.url.startswith(self.site):
            (action,) = re.findall(r'<form[^>]*action="([^"]+)"', self.page.text)
            (prompt,) = re.findall(r'name="prompt" value="(\w+)"', self.page.text)
            data = {"prompt": prompt, "login": name, "password": "any"}
            url = urljoin(self.page.url, html.unescape(action))
            self.page = self.session.post(url, data, timeout=PATIENCE)


if __name__ == "__main__":
    main()
