"""Passes lies through `ttag` to real compilers, and compares what those do with honest builds."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.client.publisher import Publisher
from tests.sandbox import liars
from tests.sandbox.bodies import bodies
from tests.sandbox.compilers import Compiler, environment
from tests.sandbox.lies import Lie, honest_texts, lies
from tests.sandbox.recorder import Record, run_jobs
from ttag import Export, Mirror, Refused, Registry, TtagError

REGISTRY, MIRROR, CURATOR = "lying registry", "lying mirror", "hostile curator"
BATCH = 500  # references in a request
OF_THE_SYSTEM = {"/proc/sys/vm/overcommit_memory"}  # the C library reads it if memory is short
THOROUGH = 834  # texts of each of three liars, for each of four compilers: 10,000
Run = Callable[[Sequence[str], Path], list[Record]]  # compiles texts in an empty folder


@dataclass
class Row:
    """What became of the texts of one liar for one compiler."""

    liar: str
    compiler: str
    texts: int = 0
    refused_by_registry: int = 0
    refused_by_ttag: int = 0
    honest: int = 0  # unchanged texts, all of which must be let through
    honest_refused: list[str] = field(default_factory=list)
    compiled: int = 0
    refused_by_compiler: int = 0
    beyond: Record = field(default_factory=Record)
    culprits: list[str] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """The cells of the table."""
        beyond = self.beyond
        counts = (
            *(self.texts, self.refused_by_registry, self.refused_by_ttag),
            *(self.compiled, self.refused_by_compiler),
            *(len(beyond.written), len(beyond.opened), len(beyond.tried)),
            *(len(beyond.started), len(beyond.connected)),
        )
        return [self.liar, self.compiler, *(f"{count:,}" for count in counts)]


HEADINGS = (
    *("from", "through", "texts", "refused by the registry", "refused by `ttag`", "compiled"),
    *("refused by the compiler", "written", "opened", "looked for", "started", "connected"),
)


def table(rows: Sequence[Row]) -> str:
    """Return the table in Markdown. From `written` on, it counts what no honest build does."""
    lines = [HEADINGS, ("---",) * len(HEADINGS), *(row.cells for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def from_registry(form: str, count: int, seed: int) -> tuple[Row, list[str]]:
    """Return what a lying registry gets through `ttag` in a form, without repeats."""
    named = liars.named(lies(form, count, seed))
    with liars.lying_registry(named) as address:
        return _through_ttag(Registry(address), Row(REGISTRY, form), named)


def from_mirror(form: str, count: int, seed: int, work: Path) -> tuple[Row, list[str]]:
    """Return what a lying mirror gets through `ttag` in a form, without repeats."""
    named = liars.named(lies(form, count, seed))
    mirror = Mirror.open(liars.write_lying_mirror(named, work))
    return _through_ttag(mirror, Row(MIRROR, form), named)


def _through_ttag(
    source: Registry | Mirror, row: Row, named: Mapping[str, Lie]
) -> tuple[Row, list[str]]:
    names = [f"{name}@{liars.VERSION}" for name in named]
    form = row.compiler
    results: list[Export | TtagError] = []
    for start in range(0, len(names), BATCH):
        results += source.export_many(names[start : start + BATCH], form)
    row.texts = len(named)
    texts: dict[str, None] = {}
    for lie, result in zip(named.values(), results, strict=True):
        row.honest += lie.is_honest
        if isinstance(result, Export):
            texts[_nameless(result)] = None
            continue
        row.refused_by_ttag += 1
        if lie.is_honest:
            row.honest_refused.append(str(result))
    return row, list(texts)


def _nameless(export: Export) -> str:
    """Return the text without the name of its tag, so that equal ones are compiled once."""
    return export.text.replace(export.reference, "acme/board@1.0.0")


def from_curator(publisher: Publisher, form: str, count: int, seed: int) -> tuple[Row, list[str]]:
    """Return what a hostile curator gets through the real registry and `ttag`, without repeats."""
    registry = Registry(publisher.address, publisher.token)
    row = Row(CURATOR, form, texts=count)
    accepted = []
    for number, (body, is_honest) in enumerate(bodies(form, count, seed)):
        row.honest += is_honest
        try:
            exact = registry.publish(f"acme/{form}-{seed}-{number}", body, base="").exact
        except Refused as refusal:
            row.refused_by_registry += 1
            if is_honest:
                row.honest_refused.append(f"{refusal}: {body}")
        else:
            accepted.append(exact)
    texts: dict[str, None] = {}
    for start in range(0, len(accepted), BATCH):
        for result in registry.export_many(accepted[start : start + BATCH], form):
            if isinstance(result, Export):
                texts[_nameless(result)] = None
            elif isinstance(result, Refused):
                row.refused_by_registry += 1  # it cannot be written in this form
            else:
                row.refused_by_ttag += 1
    return row, list(texts)


@dataclass(frozen=True)
class Sandbox:
    """A compiler in a sandbox, and what honest builds with it do."""

    form: str
    run: Run
    work: Path
    honest: Record
    others: Sequence[Record]

    @classmethod
    def prepare(
        cls, form: str, run: Run, work: Path, samples: int, others: Sequence[str]
    ) -> "Sandbox":
        """Build honest texts of the catalogue, spread over its kinds and triples, and others."""
        texts = [lie.text for lie in honest_texts(form)]
        texts = texts[:: max(1, len(texts) // samples)]
        records = run([*texts, *others], work / "honest")
        honest = Record()
        for record in records[: len(texts)]:
            honest.add(record)
        return cls(form, run, work, honest, records[len(texts) :])

    def beyond(self, record: Record) -> Record:
        """Return what a build did that honest ones do not.

        Outside the folder of the build, only files that exist count: clang looks for the libraries
        of a system under the name of its triple.
        """
        beyond = record.beyond(self.honest)
        beyond.opened -= OF_THE_SYSTEM
        beyond.tried = {path for path in beyond.tried if path.startswith("$BUILD")}
        return beyond

    def _note(self, row: Row, texts: Sequence[str], records: Sequence[Record]) -> None:
        """Note in a row what compiling its texts did."""
        for text, record in zip(texts, records, strict=True):
            row.compiled += record.status == 0
            row.refused_by_compiler += record.status != 0
            beyond = self.beyond(record)
            row.beyond.add(beyond)
            if not beyond.is_empty:
                row.culprits.append(text)

    def try_liars(self, publisher: Publisher, count: int, seed: int) -> list[Row]:
        """Return what each of the three liars achieves with so many texts."""
        folder = self.work / str(seed)
        tried = [
            from_registry(self.form, count, seed),
            from_mirror(self.form, count, seed + 1, folder / "mirror"),
            from_curator(publisher, self.form, count, seed + 2),
        ]
        # All at once, since TVM takes longer to start than to compile.
        records = self.run([text for _, texts in tried for text in texts], folder / "build")
        for row, texts in tried:
            self._note(row, texts, records[: len(texts)])
            records = records[len(texts) :]
        return [row for row, _ in tried]


def runner(compiler: Compiler) -> Run:
    """Return what runs a compiler on texts, in an empty folder."""

    def run(texts: Sequence[str], work: Path) -> list[Record]:
        work = work.resolve()
        work.mkdir(parents=True)
        jobs = [compiler.job(text, work, number) for number, text in enumerate(texts)]
        return run_jobs(jobs, work, environment(work))

    return run


def assert_harmless(rows: Sequence[Row], capsys: pytest.CaptureFixture[str]) -> None:
    """Print the table, and fail if a build did more than honest ones, or if nothing was tried."""
    with capsys.disabled():
        sys.stdout.write(f"\n{table(rows)}\n")
    for row in rows:
        assert not row.culprits, f"{row.liar}: {row.culprits}: {row.beyond}"
        assert not row.honest_refused, f"{row.liar}: {row.honest_refused}"
        assert row.refused_by_ttag + row.refused_by_registry > row.texts // 2
        assert row.compiled
