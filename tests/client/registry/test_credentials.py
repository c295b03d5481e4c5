"""Tokens: where they come from, and where they never go."""

import errno
from pathlib import Path

import pytest

from ttag import FileError, SettingsError
from ttag.registry.credentials import Credentials, is_loopback

REGISTRY = "https://registry.example.org"
OTHER = "https://targets.example.org"


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    """Return a private file with the token of one registry."""
    path = tmp_path / "ttag" / "tokens.toml"
    path.parent.mkdir()
    path.write_text(f'"{OTHER}" = "ttr_other"\n')
    path.chmod(0o600)
    return path


def test_token_of_the_environment_is_for_the_main_registry() -> None:
    credentials = Credentials.load({"TTAG_TOKEN": "ttr_main"}, REGISTRY)
    assert credentials.token_for(f"{REGISTRY}/") == "ttr_main"
    assert credentials.token_for(f"{REGISTRY}:443") == "ttr_main"


@pytest.mark.parametrize("variable", ["HOME", "XDG_CONFIG_HOME"])
def test_home_of_another_user_has_no_tokens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    def refuse(path: Path) -> bool:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("pathlib.Path.exists", refuse)
    assert Credentials.load({variable: str(tmp_path)}, REGISTRY).token_for(REGISTRY) == ""


@pytest.mark.parametrize(
    "address", [OTHER, f"{REGISTRY}:8443", "https://registry.example.org.evil.example"]
)
def test_token_is_for_no_other_host_or_port(address: str) -> None:
    assert Credentials.load({"TTAG_TOKEN": "ttr_main"}, REGISTRY).token_for(address) == ""


def test_token_is_not_sent_unencrypted_over_a_network() -> None:
    credentials = Credentials.load({"TTAG_TOKEN": "ttr_main"}, "http://registry.example.org")
    with pytest.raises(SettingsError, match="use https"):
        credentials.token_for("http://registry.example.org")


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "localhost"])
def test_token_is_sent_unencrypted_on_this_machine(host: str) -> None:
    address = f"http://{host}:8000"
    assert Credentials.load({"TTAG_TOKEN": "ttr_main"}, address).token_for(address) == "ttr_main"


@pytest.mark.parametrize("variable", ["TTAG_TOKENS", "XDG_CONFIG_HOME"])
def test_file_holds_a_token_for_each_registry(tokens: Path, variable: str) -> None:
    value = tokens if variable == "TTAG_TOKENS" else tokens.parent.parent
    credentials = Credentials.load({variable: str(value)}, REGISTRY)
    assert credentials.token_for(OTHER) == "ttr_other"
    assert credentials.token_for(REGISTRY) == ""


def test_file_in_the_home_folder_is_found(tokens: Path, tmp_path: Path) -> None:
    (tmp_path / ".config").mkdir()
    tokens.parent.rename(tmp_path / ".config" / "ttag")
    assert Credentials.load({"HOME": str(tmp_path)}, REGISTRY).token_for(OTHER) == "ttr_other"


def test_file_that_others_can_read_is_refused(tokens: Path) -> None:
    tokens.chmod(0o640)
    with pytest.raises(SettingsError, match="run chmod 600"):
        Credentials.load({"TTAG_TOKENS": str(tokens)}, REGISTRY)


@pytest.mark.parametrize("text", ["ttr_secret", '"https://example.org" = 1', "[ttr_secret"])
def test_error_in_the_file_does_not_show_a_token(tokens: Path, text: str) -> None:
    tokens.write_text(text)
    with pytest.raises(SettingsError) as error:
        Credentials.load({"TTAG_TOKENS": str(tokens)}, REGISTRY)
    assert "of the form" in str(error.value)
    assert "ttr_secret" not in str(error.value)


def test_missing_file_is_an_error_if_it_was_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"none\.toml cannot be read"):
        Credentials.load({"TTAG_TOKENS": str(tmp_path / "none.toml")}, REGISTRY)


def test_printing_shows_no_token() -> None:
    assert "ttr_main" not in repr(Credentials.load({"TTAG_TOKEN": "ttr_main"}, REGISTRY))


@pytest.mark.parametrize(("host", "expected"), [("::1", True), ("10.0.0.1", False), ("h", False)])
def test_loopback_is_recognized(host: str, expected: bool) -> None:
    assert is_loopback(host) is expected
