"""Settings, from ttag.toml, pyproject.toml and the environment."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from ttag.errors import FileError, ReferenceInvalid, SettingsError
from ttag.files import is_there
from ttag.log.notes import Key, Malformed
from ttag.references import Reference

OWN_FILE = "ttag.toml"
PYPROJECT = "pyproject.toml"
DEFAULT_TIMEOUT = 15.0  # seconds without any progress
SCHEMES = frozenset({"http", "https", "mirror+http", "mirror+https"})
SWITCHES = dict.fromkeys(("1", "true", "yes", "on"), True) | dict.fromkeys(
    ("0", "false", "no", "off"), False
)
PREFIX = "TTAG_"
NEAR = 0.85  # how alike a misspelt name is: a letter less, more or other
VARIABLES = tuple(
    f"{PREFIX}{name}"
    for name in (
        *("REGISTRY", "CACHE", "TIMEOUT", "OFFLINE", "LOCKED", "LOG_KEY"),
        *("TOKEN", "TOKENS", "ID_TOKEN"),
    )
)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a project.

    `registry` is the address of the registry that has every namespace which `namespaces` does not
    assign to another one; empty if nothing sets it.
    """

    registry: str = ""
    namespaces: Mapping[str, str] = field(default_factory=dict)
    targets: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    lock: Path = Path("targets.lock")
    records: Path = Path("records")
    cache: Path = Path(".ttag-cache")
    timeout: float = DEFAULT_TIMEOUT
    offline: bool = False
    locked: bool = False  # refuse references that the lock does not hold
    log_key: Key | None = None  # the public key of the log of `registry`
    file: Path | None = None

    @classmethod
    def load(cls, directory: Path, environment: Mapping[str, str]) -> Settings:
        """Return the settings of the nearest project at or above a directory.

        The environment overrides the file. Raises `SettingsError` or `FileError`.
        """
        file, table = _find_table(directory.resolve())
        reader = _Reader(table, file)
        base = file.parent if file else directory
        settings = cls(
            registry=reader.text("registry", environment.get("TTAG_REGISTRY", "")),
            namespaces=reader.texts_by_name("namespaces"),
            targets=reader.texts("targets"),
            formats=reader.texts("formats"),
            lock=base / (reader.text("lock") or "targets.lock"),
            records=base / (reader.text("records") or "records"),
            cache=_cache_folder(environment, reader.text("cache"), base),
            timeout=reader.seconds("timeout", environment.get("TTAG_TIMEOUT", "")),
            offline=reader.switch("offline", environment.get("TTAG_OFFLINE", "")),
            locked=reader.switch("locked", environment.get("TTAG_LOCKED", "")),
            log_key=reader.key("log_key", environment.get("TTAG_LOG_KEY", "")),
            file=file,
        )
        reader.refuse_unknown()
        for namespace, address in settings.namespaces.items():
            _check_namespace(namespace, file)
            # An empty one, too: the main registry would be asked for the namespace instead.
            _check_address_at(f"{file}: {namespace} in namespaces", address)
        if settings.registry:
            override = environment.get("TTAG_REGISTRY")
            _check_address_at(
                "TTAG_REGISTRY" if override else f"{file}: registry", settings.registry
            )
        return settings

    def find_registry(self, reference: Reference) -> str:
        """Return the address of the registry that a namespace belongs to; empty if none is set."""
        return (self.namespaces.get(reference.namespace) or self.registry).rstrip("/")

    def registry_of(self, reference: Reference) -> str:
        """Return the address of the only registry that a namespace belongs to.

        Nothing else is ever asked for it, so no other registry can supply a target of that name.
        Raises `SettingsError` if no registry is set.
        """
        return self.find_registry(reference) or self.main_registry()

    def log_key_of(self, address: str) -> Key | None:
        """Return the key of the log at an address, or None if the settings do not name it."""
        return self.log_key if address == self.registry.rstrip("/") else None

    def main_registry(self) -> str:
        """Return the address of the registry of all other namespaces, or raise `SettingsError`."""
        if not self.registry:
            raise SettingsError(
                "No registry is set: set TTAG_REGISTRY to its address, or `registry` in "
                f"{OWN_FILE} or in [tool.ttag] of {PYPROJECT}."
            )
        return self.registry.rstrip("/")


def check_address(address: str) -> None:
    """Raise `SettingsError` if text is not the address of a registry or a mirror."""
    try:
        parts = urlsplit(address)
        parts.port  # noqa: B018 - raises ValueError if it is not a number
    except ValueError as error:
        raise SettingsError(f"{address!r} is not an address: {error}.") from None
    if parts.scheme == "file" and parts.path and not parts.netloc:
        if parts.query or parts.fragment or "\0" in unquote(parts.path):
            raise SettingsError(f"{address!r} names no folder: write ? as %3F, and # as %23.")
        return
    if parts.scheme not in SCHEMES or not parts.hostname:
        raise SettingsError(
            f"{address!r} is not the address of a registry: expected https://host, or "
            "mirror+https://host or file:///path of a mirror."
        )
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise SettingsError(
            f"The address of {parts.hostname} must have no user name, query or fragment. "
            "Tokens are set separately."
        )


def misspelt_variables(environment: Mapping[str, str]) -> list[str]:
    """Return a sentence for each variable whose name is nearly one of ours."""
    others = sorted(name for name in environment if name.startswith(PREFIX[:4]))
    return [
        f"{name} is not a variable of ttag. Did you mean {near[0]}?"
        for name in others
        if name not in VARIABLES and (near := get_close_matches(name, VARIABLES, 1, NEAR))
    ]


def unread_settings(file: Path | None) -> list[str]:
    """Return a sentence if settings beside a file are not read because of it."""
    if file is None or file.name != OWN_FILE or not (file.parent / PYPROJECT).is_file():
        return []
    shared = file.parent / PYPROJECT
    tools = _read_toml(shared).get("tool", {})
    has_table = isinstance(tools, dict) and "ttag" in tools
    return [f"{shared}: [tool.ttag] is not read, as {OWN_FILE} is beside it."] if has_table else []


def _check_address_at(place: str, address: str) -> None:
    """Raise `SettingsError`, with the place, if text is not the address of a registry."""
    try:
        check_address(address)
    except SettingsError as error:
        raise SettingsError(f"{place}: {error.message}") from None


def _check_namespace(name: str, file: Path | None) -> None:
    """Raise `SettingsError` for what no reference begins with: another registry would be asked."""
    try:
        is_one = Reference.parse(f"{name}/name").namespace == name
    except ReferenceInvalid:
        is_one = False
    if not is_one:
        raise SettingsError(f"{file}: {name!r} in namespaces is not the name of a namespace.")


def _cache_folder(environment: Mapping[str, str], stated: str, base: Path) -> Path:
    if chosen := environment.get("TTAG_CACHE"):
        return Path(chosen).expanduser()
    if stated:
        return base / Path(stated).expanduser()
    if root := environment.get("XDG_CACHE_HOME"):
        return Path(root) / "ttag"
    if home := environment.get("HOME"):
        return Path(home) / ".cache" / "ttag"
    return base / ".ttag-cache"


def places(directory: Path) -> Iterator[Path]:
    """Yield the files that may have the settings, nearest first; the first that has them counts."""
    for folder in (directory, *directory.parents):
        yield folder / OWN_FILE
        yield folder / PYPROJECT


def _find_table(directory: Path) -> tuple[Path | None, dict[str, Any]]:
    """Return the nearest file with settings, and them; ttag.toml comes before pyproject.toml."""
    for path in places(directory):
        if path.name == OWN_FILE and is_there(path):
            return path, _read_toml(path)
        if path.name == PYPROJECT and path.is_file():
            tools = _read_toml(path).get("tool", {})
            if isinstance(tools, dict) and "ttag" in tools:
                return path, _Reader.table(tools["ttag"], "[tool.ttag]", path)
    return None, {}


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is not TOML: {error}.") from error


class _Reader:
    """Takes typed values out of a table, and notices the keys that nobody takes."""

    def __init__(self, table: dict[str, Any], file: Path | None) -> None:
        self._table = table
        self._file = file
        self._known: list[str] = []

    @staticmethod
    def table(value: object, name: str, file: Path | None) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise SettingsError(f"{file}: {name} must be a table.")
        return value

    def _take(self, key: str, default: object) -> Any:
        self._known.append(key)
        return self._table.get(key, default)

    def _refuse(self, key: str, expected: str) -> SettingsError:
        return SettingsError(f"{self._file}: {key} must be {expected}.")

    def text(self, key: str, override: str = "") -> str:
        value = self._take(key, "")
        if not isinstance(value, str) or "\0" in value:
            raise self._refuse(key, "a string, without U+0000")
        return override or value

    def texts(self, key: str) -> tuple[str, ...]:
        value = self._take(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self._refuse(key, "a list of strings")
        return tuple(value)

    def texts_by_name(self, key: str) -> dict[str, str]:
        value = self.table(self._take(key, {}), key, self._file)
        if not all(isinstance(item, str) for item in value.values()):
            raise self._refuse(key, "a table of strings")
        return value

    def switch(self, key: str, override: str = "") -> bool:
        value = self._take(key, False)
        if not isinstance(value, bool):
            raise self._refuse(key, "true or false")
        if override and override.lower() not in SWITCHES:
            raise SettingsError(f"{PREFIX}{key.upper()} is {override!r}: expected 1 or 0.")
        return SWITCHES[override.lower()] if override else value

    def seconds(self, key: str, override: str) -> float:
        value = self._take(key, DEFAULT_TIMEOUT)
        if override:
            try:
                value = float(override)
            except ValueError:
                raise SettingsError(
                    f"TTAG_TIMEOUT is {override!r}: expected a number of seconds."
                ) from None
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 3600:
            if override:
                raise SettingsError(
                    f"TTAG_TIMEOUT is {override!r}: expected seconds, above 0 and below 3600."
                )
            raise self._refuse(key, "a number of seconds, above 0 and below 3600")
        return float(value)

    def key(self, name: str, override: str) -> Key | None:
        text = self.text(name, override)
        try:
            return Key.parse(text) if text else None
        except Malformed as error:
            place = "TTAG_LOG_KEY" if override else f"{self._file}: {name}"
            raise SettingsError(f"{place}: {error}.") from None

    def refuse_unknown(self) -> None:
        for key in self._table:
            if key not in self._known:
                near: Iterable[str] = get_close_matches(key, self._known, 1)
                raise SettingsError(
                    f"{self._file}: {key!r} is not a setting: expected one of "
                    f"{', '.join(sorted(self._known))}.",
                    suggestions=near,
                )
