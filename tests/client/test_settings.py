"""Settings of a project: where they come from, and what is wrong with them."""

from pathlib import Path

import pytest

from ttag import FileError, SettingsError
from ttag.log.notes import Key
from ttag.project import Project
from ttag.references import Reference
from ttag.settings import Settings, check_address

PYPROJECT = """
[tool.ttag]
registry = "https://registry.example.org/"
targets = ["aws/c4.4xlarge@1"]
formats = ["clang"]

[tool.ttag.namespaces]
acme = "https://targets.example.org"
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a folder with settings in its pyproject.toml."""
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    return tmp_path


def address(settings: Settings, reference: str) -> str:
    return settings.registry_of(Reference.parse(reference))


def test_settings_come_from_pyproject(project: Path) -> None:
    settings = Settings.load(project, {})
    assert settings.targets == ("aws/c4.4xlarge@1",)
    assert settings.formats == ("clang",)
    assert settings.lock == project / "targets.lock"


def test_settings_of_a_folder_hold_below_it(project: Path) -> None:
    below = project / "src" / "kernels"
    below.mkdir(parents=True)
    settings = Settings.load(below, {})
    assert settings.file == project / "pyproject.toml"
    assert settings.lock == project / "targets.lock"


def test_own_file_comes_before_pyproject(project: Path) -> None:
    (project / "ttag.toml").write_text('registry = "http://127.0.0.1:8000"')
    assert Settings.load(project, {}).registry == "http://127.0.0.1:8000"


def test_pyproject_without_a_table_is_passed_over(project: Path) -> None:
    below = project / "package"
    below.mkdir()
    (below / "pyproject.toml").write_text('[project]\nname = "package"\n')
    assert Settings.load(below, {}).file == project / "pyproject.toml"


def test_environment_overrides_the_file(project: Path) -> None:
    variables = {
        "TTAG_REGISTRY": "http://127.0.0.1:8000",
        "TTAG_CACHE": "/cache",
        "TTAG_OFFLINE": "1",
        "TTAG_TIMEOUT": "2.5",
    }
    settings = Settings.load(project, variables)
    assert settings.registry == "http://127.0.0.1:8000"
    assert settings.cache == Path("/cache")
    assert settings.offline
    assert settings.timeout == 2.5


@pytest.mark.parametrize(("value", "expected"), [("0", False), ("", True), ("yes", True)])
@pytest.mark.parametrize("name", ["offline", "locked"])
def test_switch_of_the_file_is_turned_off_by_the_environment(
    tmp_path: Path, name: str, value: str, expected: bool
) -> None:
    (tmp_path / "ttag.toml").write_text(f"{name} = true")
    settings = Settings.load(tmp_path, {f"TTAG_{name.upper()}": value})
    assert getattr(settings, name) is expected


def test_namespace_belongs_to_one_registry(project: Path) -> None:
    settings = Settings.load(project, {"TTAG_REGISTRY": "https://other.example.org"})
    assert address(settings, "acme/board") == "https://targets.example.org"
    assert address(settings, "aws/c4.4xlarge@1") == "https://other.example.org"


def test_missing_registry_says_where_to_set_it(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="set TTAG_REGISTRY to its address"):
        address(Settings.load(tmp_path, {}), "aws/c4.4xlarge")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("registry = 1", "registry must be a string"),
        ('targets = "aws/c4.4xlarge"', "targets must be a list of strings"),
        ("formats = [1]", "formats must be a list of strings"),
        ("namespaces = 1", "namespaces must be a table"),
        ("namespaces = {acme = 1}", "namespaces must be a table of strings"),
        ("offline = 1", "offline must be true or false"),
        ("timeout = true", "timeout must be a number of seconds"),
        ("timeout = 0", "timeout must be a number of seconds"),
        ("registry = ", "is not TOML"),
        ('registry = "registry.example.org"', "expected https://host"),
        ('namespaces = {acme = "ftp://example.org"}', "expected https://host"),
    ],
)
def test_wrong_setting_says_what_is_expected(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "ttag.toml").write_text(text)
    with pytest.raises(SettingsError, match=sentence):
        Settings.load(tmp_path, {})


def test_unknown_setting_suggests_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "ttag.toml").write_text('target = ["aws/c4.4xlarge"]')
    with pytest.raises(SettingsError, match=r"'target' is not a setting.* Did you mean targets\?"):
        Settings.load(tmp_path, {})


def test_wrong_time_limit_in_the_environment_names_the_variable(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="TTAG_TIMEOUT is 'fast'"):
        Settings.load(tmp_path, {"TTAG_TIMEOUT": "fast"})


@pytest.mark.parametrize("value", ["0", "nan", "-1", "3600"])
def test_time_limit_out_of_range_in_the_environment_names_the_variable(
    tmp_path: Path, value: str
) -> None:
    with pytest.raises(SettingsError, match=f"TTAG_TIMEOUT is '{value}'"):
        Settings.load(tmp_path, {"TTAG_TIMEOUT": value})


@pytest.mark.parametrize("name", ["TTAG_OFFLINE", "TTAG_LOCKED"])
@pytest.mark.parametrize("value", ["ture", "2", " 1", "y"])
def test_switch_that_is_neither_on_nor_off_is_refused(
    tmp_path: Path, name: str, value: str
) -> None:
    (tmp_path / "ttag.toml").write_text("locked = true\noffline = true")
    with pytest.raises(SettingsError, match=f"{name} is '{value}': expected 1 or 0"):
        Settings.load(tmp_path, {name: value})


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("TTAG_OFFLIN", "TTAG_OFFLINE"),
        ("TTAG_REGISTY", "TTAG_REGISTRY"),
        ("TTAG_LOCK", "TTAG_LOCKED"),
        ("TTAGLOCKED", "TTAG_LOCKED"),
        ("TTAG_LOGKEY", "TTAG_LOG_KEY"),
    ],
)
def test_variable_with_a_misspelt_name_is_warned_of(tmp_path: Path, name: str, near: str) -> None:
    warnings: list[str] = []
    Project.open(tmp_path, environment={name: "1"}, warn=warnings.append)
    assert warnings == [f"{name} is not a variable of ttag. Did you mean {near}?"]


@pytest.mark.parametrize("name", ["TTAG_VERSION", "TTAG", "TTAG_TOKENS", "XTTAG_LOCKED", "LOCKED"])
def test_variable_with_another_name_is_left_alone(tmp_path: Path, name: str) -> None:
    warnings: list[str] = []
    Project.open(tmp_path, environment={name: "1"}, warn=warnings.append)
    assert warnings == []


@pytest.mark.parametrize("name", ["Acme", "acme/*", "acme/board", "acme:x", "", "acme@1"])
def test_namespace_that_no_reference_has_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "ttag.toml").write_text(
        f'namespaces = {{"{name}" = "https://targets.example.org"}}'
    )
    with pytest.raises(SettingsError, match="is not the name of a namespace"):
        Settings.load(tmp_path, {})


def test_unreadable_file_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ttag.toml").write_text("")

    def refuse(*_: object, **__: object) -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_text", refuse)
    with pytest.raises(FileError, match=r"ttag\.toml cannot be read: Permission denied"):
        Settings.load(tmp_path, {})


def test_settings_that_are_a_link_to_nowhere_are_not_skipped(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    (tmp_path / "ttag.toml").symlink_to(tmp_path / "nowhere")
    with pytest.raises(FileError, match=r"ttag\.toml cannot be read: No such file"):
        Settings.load(tmp_path, {})


@pytest.mark.parametrize(
    "text",
    [
        "https://registry.example.org/path",
        "http://127.0.0.1:8000",
        "file:///srv/mirror",
        "file:///srv/why%3F",
    ],
)
def test_address_of_a_registry_or_mirror_is_accepted(text: str) -> None:
    check_address(text)


@pytest.mark.parametrize(
    "text",
    [
        "https://user@example.org",
        "https://:password@example.org",
        "file:///srv/mirror?x",
        "file:///srv/mirror#x",
        "file:///srv/mi%00rror",
        "https://example.org?x=1",
        "http://host:port",
        "https://",
        "file:",
    ],
)
def test_other_address_is_refused(text: str) -> None:
    with pytest.raises(SettingsError):
        check_address(text)


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"XDG_CACHE_HOME": "/x", "HOME": "/home/alice"}, "/x/ttag"),
        ({"HOME": "/home/alice"}, "/home/alice/.cache/ttag"),
    ],
)
def test_cache_is_in_the_users_cache(
    tmp_path: Path, variables: dict[str, str], expected: str
) -> None:
    assert Settings.load(tmp_path, variables).cache == Path(expected)


def test_cache_without_a_home_is_in_the_project(tmp_path: Path) -> None:
    assert Settings.load(tmp_path, {}).cache == tmp_path / ".ttag-cache"


def test_key_of_the_log_is_that_of_the_main_registry(project: Path) -> None:
    key = Key("registry.example.org/log", bytes(32))
    settings = Settings.load(project, {"TTAG_LOG_KEY": str(key)})
    assert settings.log_key_of("https://registry.example.org") == key
    assert settings.log_key_of("https://targets.example.org") is None
    (project / "pyproject.toml").write_text(f'[tool.ttag]\nlog_key = "{key}"\n')
    assert Settings.load(project, {}).log_key == key


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("registry.example.org/log", r"a key must be NAME\+ID\+KEY"),
        (f"{Key('a', bytes(32))}=", r"a key must be NAME\+ID\+KEY|is not base64"),
        (str(Key("a", bytes(32))).replace("a+", "b+", 1), "does not have the id"),
    ],
)
def test_malformed_key_of_the_log_is_an_error(project: Path, text: str, message: str) -> None:
    with pytest.raises(SettingsError, match=f"TTAG_LOG_KEY: .*{message}"):
        Settings.load(project, {"TTAG_LOG_KEY": text})
    (project / "pyproject.toml").write_text(f'[tool.ttag]\nlog_key = "{text}"\n')
    with pytest.raises(SettingsError, match=rf"pyproject\.toml: log_key: .*{message}"):
        Settings.load(project, {})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[namespaces]\nacme = ""', "ttag.toml: acme in namespaces: '' is not the address"),
        ('[namespaces]\nacme = "x"', "ttag.toml: acme in namespaces: 'x' is not the address"),
        ('registry = "x"', "ttag.toml: registry: 'x' is not the address"),
        ('lock = "a\\u0000b"', "ttag.toml: lock must be a string, without"),
        ('cache = "\\u0000"', "ttag.toml: cache must be a string, without"),
    ],
)
def test_text_that_no_value_can_be_is_refused_with_its_place(
    tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "ttag.toml").write_text(text)
    with pytest.raises(SettingsError) as caught:
        Settings.load(tmp_path, {})
    assert message in str(caught.value)


def test_address_of_the_environment_is_refused_with_the_name_of_the_variable(
    tmp_path: Path,
) -> None:
    with pytest.raises(SettingsError, match=r"^TTAG_REGISTRY: 'x' is not the address"):
        Settings.load(tmp_path, {"TTAG_REGISTRY": "x"})


@pytest.mark.parametrize(
    ("own", "shared", "is_said"),
    [
        ("", '[tool.ttag]\nregistry = "https://targets.example.org"', True),
        ("", "[tool.tag]", False),
        (None, '[tool.ttag]\nregistry = "https://targets.example.org"', False),
        ("", None, False),
    ],
)
def test_settings_that_another_file_hides_are_warned_of(
    tmp_path: Path, own: str | None, shared: str | None, is_said: bool
) -> None:
    for name, text in (("ttag.toml", own), ("pyproject.toml", shared)):
        if text is not None:
            (tmp_path / name).write_text(text)
    warnings: list[str] = []
    Project.open(tmp_path, environment={}, warn=warnings.append)
    sentence = f"{tmp_path / 'pyproject.toml'}: [tool.ttag] is not read, as ttag.toml is beside it."
    assert warnings == [sentence] * is_said
