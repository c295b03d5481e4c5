"""A lock: targets that resolve without a network, exactly as they were when they were locked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from pathlib import Path

from ttag.errors import FileError, NotLocked, Refused, Tampered, Unreachable
from ttag.files import is_there, read_file, write_file
from ttag.lock.content import LockContent, LockedTarget
from ttag.lock.format import parse, render
from ttag.log.history import KnownLog
from ttag.references import Reference, whole_of
from ttag.resolution import Export, Resolution
from ttag.texts import proven
from ttag.unsafe import require_safe


@dataclass(frozen=True)
class Lock:
    """The targets of a lock file, by reference. It never changes, so that threads may share it.

    `logs` are the logs that they were locked from, as they were then.

    An exact reference, such as `arm/soc@1.0.0`, also finds the target that `arm/soc@1` is locked
    to, and `arm/soc@1#/host` a node of it. Unless `allow_unsafe`, a target with a value that could
    harm a build is refused (`UnsafeTarget`), and every text is compared with its target: a checksum
    can be recomputed.
    """

    path: Path
    targets: Mapping[str, LockedTarget] = field(default_factory=dict)
    allow_unsafe: bool = False
    logs: tuple[KnownLog, ...] = ()
    _exact: Mapping[str, LockedTarget] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        exact = {target.answer.exact: target for target in self.targets.values()}
        object.__setattr__(self, "_exact", {name: _named(exact[name], name) for name in exact})

    @classmethod
    def read(cls, path: Path | str, *, allow_unsafe: bool = False) -> Lock:
        """Return the lock in a file.

        Raises `FileError` if there is no lock, and `Tampered` if a target was edited by hand.
        """
        path = Path(path)
        content = read_content(path)
        refuse_faults(path, content)
        return cls(path, content.targets, allow_unsafe, content.logs)

    @property
    def content(self) -> LockContent:
        """The targets and logs, none of which is at fault."""
        return LockContent(self.targets, {}, self.logs)

    def find(self, reference: str) -> LockedTarget | None:
        """Return the locked target of a reference, or None.

        Raises `UnsafeTarget`, and `Refused` (NODE_UNKNOWN) or `Tampered` for a node of a target.
        """
        target = self._find(reference)
        if target and not self.allow_unsafe:
            require_safe(target.resolution, reference)
        return target

    def _find(self, reference: str) -> LockedTarget | None:
        target = self.targets.get(reference) or self._exact.get(reference)
        whole = whole_of(reference)
        if whole == reference or (enclosing := self._find(whole)) is None:
            return target
        part = enclosing.part(Reference.parse_with_node(reference).node)
        if target is None:
            return part
        if target.resolution.exact != enclosing.resolution.exact:
            return target
        return replace(target, exports={**part.exports, **target.exports})

    def target(self, reference: str) -> LockedTarget:
        """Return the locked target of a reference. Raises `NotLocked`, or as `find` does."""
        target = self.find(reference)
        if target is None:
            raise self.not_locked(reference)
        return target

    def resolve(self, reference: str) -> Resolution:
        """Return the locked resolution of a reference. Raises as `target` does."""
        return self.target(reference).answer

    def export(self, reference: str, form: str, *, strict: bool = False) -> Export:
        """Return the locked text of a target in a format, compared with the target.

        Raises `NotLocked`, `UnsafeTarget` or `Tampered`; if `strict`, `Refused` if the format has
        left something out.
        """
        target = self.target(reference)
        export = find_export(target, form)
        if export is None:
            raise self.format_missing(reference, form)
        return refuse_losses(export) if strict else export

    def not_locked(self, reference: str) -> NotLocked:
        """Return the error that a reference is not locked."""
        return NotLocked(
            f"{reference} is not in {self.path.name}. Add it with `ttag lock {reference}`."
        )

    def format_missing(
        self, reference: str, form: str, cause: NotLocked | Unreachable | None = None
    ) -> NotLocked | Unreachable:
        """Return the error that a format is not locked, and why it cannot be fetched either."""
        message = (
            f"{self.path.name} does not hold {reference} as {form}. "
            f"Add it with `ttag lock {reference} --format {form}`."
        )
        return NotLocked(message) if cause is None else type(cause)(f"{message} {cause.message}")


def find_export(target: LockedTarget, form: str) -> Export | None:
    """Return a locked target in a format, or None; the lock holds `json` and `target` of each.

    Raises `Tampered` for a text that does not belong to the target.
    """
    if form in {"json", "target"}:
        return target.answer.export(form)
    export = target.exports.get(form)
    return export and proven(export, target.answer, source="The lock")


def refuse_losses(export: Export) -> Export:
    """Return an export that leaves nothing out, or raise `Refused` as the registry does."""
    if export.dropped:
        raise Refused(
            f"{export.format} has to leave out {', '.join(export.dropped)} of {export.reference}.",
            code="FORMAT_LOSSY",
            status=HTTPStatus.NOT_ACCEPTABLE,
        )
    return export


def read_content(path: Path) -> LockContent:
    """Return the targets of a lock file, with those that were edited by hand. Raises `FileError`.

    Use `Lock.read`, unless the purpose is to report or to repair such targets.
    """
    return parse(read_text(path), path)


def read_text(path: Path) -> str:
    """Return the text of a lock file. Raises `FileError`."""
    if not is_there(path):
        raise FileError(f"There is no {path}. `ttag lock` writes it.")
    try:
        return read_file(path).decode()
    except UnicodeDecodeError as error:
        raise FileError(f"{path} is not UTF-8 text, so it is not a lock.") from error


def write_lock(path: Path, targets: Iterable[LockedTarget], logs: Iterable[KnownLog] = ()) -> bool:
    """Write a lock file if its text changes, and return whether it did. Raises `FileError`."""
    data = render(targets, logs).encode()
    if path.exists() and read_file(path) == data:
        return False
    write_file(path, data)
    return True


def refuse_faults(path: Path, content: LockContent, *, except_for: Sequence[str] = ()) -> None:
    """Raise `Tampered` if a target or log was edited by hand, but for targets to be replaced."""
    for reference, fault in content.faults.items():
        if reference not in except_for:
            raise Tampered(f"{path}: {describe_fault(reference, fault)}")
    for registry, fault in content.log_faults.items():
        raise Tampered(f"{path}: {describe_log_fault(registry, fault)}")


def describe_fault(reference: str, fault: str) -> str:
    """Return what is wrong with a target that was edited by hand, and how to repair it."""
    return (
        f"{reference} cannot be trusted: {fault}. Restore it from version control, or lock it "
        f"again with `ttag lock {reference}`."
    )


def describe_log_fault(registry: str, fault: str) -> str:
    """Return what is wrong with a log that was edited by hand, and how to repair it."""
    return (
        f"the log of {registry} cannot be trusted: {fault}. Restore it from version control, or "
        "take what the registry shows now with `ttag lock --accept-log`."
    )


def _named(target: LockedTarget, reference: str) -> LockedTarget:
    """Return a locked target under another reference."""
    exports = {form: replace(each, reference=reference) for form, each in target.exports.items()}
    resolution = replace(target.resolution, reference=whole_of(reference))
    return replace(target, resolution=resolution, exports=exports)
