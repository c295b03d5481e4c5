"""The report of a run, in Markdown: each figure beside its goal."""

from collections import Counter
from dataclasses import dataclass, field

from tests.stress.checker import Finding
from tests.stress.crowd.disturbances import PUBLICATIONS, READERS
from tests.stress.crowd.following import Behind
from tests.stress.crowd.measurements import Figures, Replacement
from tests.stress.crowd.resolves import EXPONENT
from tests.stress.report import machine

RATIO_GOAL = 0.8
LONGEST_GOAL = 0.1  # seconds
SHOWN = 20  # findings
NOT_BEHIND = Behind(0, 0, 0)


@dataclass(slots=True)
class Run:
    """All that a report says."""

    database: str
    nodes: int
    tags: int
    minutes: float
    connections: int
    quiet: Figures
    disturbed: Figures
    ratio: float
    longest: float  # seconds of a resolve, outside the replacement
    late: dict[str, int]  # answers behind an acknowledged write, by how far
    findings: list[Finding]
    done: Counter[str]
    verification: str
    writes: int  # acknowledged
    publications: float  # a second, in the phases beside the crowd
    processor: dict[str, tuple[float, float]] = field(default_factory=dict)  # cores, two phases
    behind: Behind = NOT_BEHIND
    replacement: Replacement | None = None
    refused: int = 0  # resolves during the replacement
    exceptions: list[tuple[str, int]] = field(default_factory=list)


def render(run: Run) -> str:
    """Return the report."""
    done = ", ".join(f"{number} {what}" for what, number in sorted(run.done.items()))
    lines = [
        f"# A crowd on {run.database}: {run.tags:,} tags",
        "",
        f"{run.nodes} node(s), two processes in all; {run.minutes:g} minutes, {machine()}.",
        (
            f"{run.connections} builds resolve without a pause, by Zipf's law with the exponent"
            f" {EXPONENT:g}; beside them {PUBLICATIONS} publications/s, {READERS} readers of"
            " pages, sign-ups with a mail server that does not reply, and an issuer that trickles."
        ),
        f"Done beside them: {done}. {run.verification}",
        "",
        *goals(run),
        "",
        *rates(run),
        "",
        *processor(run),
        "",
        "Answers behind a write acknowledged before they were asked for: "
        + ", ".join(f"{number} {what}" for what, number in run.late.items())
        + ".",
    ]
    if run.findings:
        lines += ["", "## Findings", ""]
        lines += [f"- {finding.verdict}: {finding.text}" for finding in run.findings[:SHOWN]]
        lines += [f"- and {len(run.findings) - SHOWN} more"] * (len(run.findings) > SHOWN)
    if run.exceptions:
        lines += ["", "## Exceptions in the logs", ""]
        lines += [f"- {count} times `{text}`" for text, count in run.exceptions]
    return "\n".join([*lines, ""])


def goals(run: Run) -> list[str]:
    """Return the table of goals."""
    rows = [
        ("resolves/s beside the crowd : alone", f"{run.ratio:.2f}", f"{RATIO_GOAL:g}"),
        (
            "longest resolve, outside the replacement",
            f"{1000 * run.longest:.0f} ms",
            f"{1000 * LONGEST_GOAL:.0f} ms",
        ),
        ("findings: stale, wrong, lost", str(len(run.findings)), "0"),
        ("acknowledged publications", str(run.writes), ""),
        ("publications/s beside builds", f"{run.publications:.1f}", str(PUBLICATIONS)),
        ("a mirror is behind, median", f"{run.behind.median:.1f} s", ""),
        ("a mirror is behind, at most", f"{run.behind.longest:.1f} s", "5 s"),
        ("versions that the mirror never had", str(run.behind.missing), "0"),
    ]
    if replacement := run.replacement:
        frozen = replacement.promoted - replacement.begin
        rows += [
            ("frozen until promoted", f"{frozen:.1f} s", ""),
            ("resolves refused meanwhile", str(run.refused), ""),
            (
                "from the promotion to resolves of all nodes",
                f"{replacement.seconds_to_resolve:.1f} s",
                "1 s",
            ),
            (
                "from the promotion to an acknowledged write",
                f"{replacement.seconds_to_write:.1f} s",
                "",
            ),
        ]
    return ["| | reached | goal |", "|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows)]


def rates(run: Run) -> list[str]:
    """Return the table of resolves."""
    head = "| resolves | a second | of which misses | median | 99 % | longest | refused |"
    rows = [
        f"| {name} | {figures.rate:,.0f} | {figures.misses:,.0f} | {1000 * figures.median:.1f} ms"
        f" | {1000 * figures.p99:.0f} ms | {1000 * figures.longest:.0f} ms | {figures.refused} |"
        for name, figures in (("alone", run.quiet), ("beside the crowd", run.disturbed))
    ]
    return [head, "|---|---|---|---|---|---|---|", *rows]


def processor(run: Run) -> list[str]:
    """Return the table of processor time."""
    rows = [
        f"| {group} | {alone:.2f} | {beside:.2f} |"
        for group, (alone, beside) in run.processor.items()
    ]
    return ["| cores taken by | alone | beside the crowd |", "|---|---|---|", *rows]
