"""Hardware facts by which people compare machines; lists filter and sort by them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from registry.domain.errors import Refused, echo
from registry.domain.names.choices import invalid_filter
from registry.domain.quantities import EXAMPLES, QuantityInvalid, parse_quantity
from registry.domain.search.conditions import Condition, parse_number

MIN, MAX = "_min", "_max"  # ends of the parameters of a range
REVERSED = "-"  # before the name of a fact in `sort`: smallest first


@dataclass(frozen=True, slots=True)
class ComparableFact:
    """A number in the `hardware` of a target's root. `name` is what parameters call it."""

    name: str
    title: str
    pointer: str
    unit: str = ""  # as in the schema of hardware; a year has none

    @property
    def option(self) -> str:
        return self.pointer.rpartition("/")[2]

    @property
    def example(self) -> str:
        return EXAMPLES.get(self.unit, "2022" if not self.unit else "8")

    def condition(self, operator: str, number: float) -> Condition:
        """Return the search condition that compares the fact with a number."""
        return Condition(self.option, self.pointer, operator, number=number)


# Decision 082: nobody writes pointers and bytes, so that these have names and take units.
COMPARABLE_FACTS: Mapping[str, ComparableFact] = {
    fact.name: fact
    for fact in (
        ComparableFact("memory", "Memory", "/hardware/memory_bytes", "bytes"),
        ComparableFact(
            "bandwidth", "Bandwidth", "/hardware/memory_bandwidth_bytes_per_s", "bytes/s"
        ),
        ComparableFact("cores", "Cores", "/hardware/cores", "cores"),
        ComparableFact("threads", "Threads", "/hardware/threads", "threads"),
        ComparableFact("compute_units", "Compute units", "/hardware/compute_units", "units"),
        ComparableFact("accelerators", "Accelerators", "/hardware/accelerators", "accelerators"),
        ComparableFact("clock", "Highest clock", "/hardware/boost_clock_hz", "Hz"),
        ComparableFact("flash", "Flash", "/hardware/flash_bytes", "bytes"),
        ComparableFact("power", "Power", "/hardware/power_watts", "W"),
        ComparableFact("year", "Year", "/hardware/launched/year"),
    )
}
YEAR = COMPARABLE_FACTS["year"]
RANGE_PARAMETERS: Mapping[str, tuple[ComparableFact, tuple[str, ...]]] = {
    **{
        f"{fact.name}{end}": (fact, (operator,))
        for fact in COMPARABLE_FACTS.values()
        for end, operator in ((MIN, ">="), (MAX, "<="))
    },
    YEAR.name: (YEAR, (">=", "<=")),
}
FACT_ORDERS = tuple(f"{sign}{name}" for name in COMPARABLE_FACTS for sign in ("", REVERSED))


@dataclass(frozen=True, slots=True)
class FactOrder:
    """The order of tags by a fact: largest first, or smallest first if it is reversed.

    Tags that do not state the fact come last.
    """

    fact: ComparableFact
    is_reversed: bool = False

    @classmethod
    def parse(cls, text: str) -> FactOrder | None:
        """Return the order that one of FACT_ORDERS names; None for any other text."""
        fact = COMPARABLE_FACTS.get(text.removeprefix(REVERSED))
        return cls(fact, text.startswith(REVERSED)) if fact and text in FACT_ORDERS else None

    def __str__(self) -> str:
        return f"{REVERSED if self.is_reversed else ''}{self.fact.name}"


def range_conditions(texts: Mapping[str, str]) -> Iterator[Condition]:
    """Yield the conditions of ranges, by their parameters, such as `memory_min`.

    Values are numbers, with or without a unit. Raises `Refused` (FILTER_INVALID), also for a least
    value beyond the largest.
    """
    ends: dict[tuple[str, str], tuple[float, str]] = {}
    for parameter, text in texts.items():
        fact, operators = RANGE_PARAMETERS[parameter]
        number = _number(parameter, text, fact)
        for operator in operators:
            narrower = max if operator == ">=" else min
            end = ends.get((fact.name, operator), (number, parameter))
            ends[fact.name, operator] = narrower(end, (number, parameter))
            yield fact.condition(operator, number)
    for (name, operator), (least, parameter) in ends.items():
        largest, other = ends.get((name, "<="), (least, parameter))
        if operator == ">=" and least > largest:
            limit = echo(texts[other])
            beside = f" beside {other}={limit}"
            raise _invalid(parameter, texts[parameter], f"at most {limit}", beside=beside)


def _number(parameter: str, text: str, fact: ComparableFact) -> float:
    """Return a value in the unit of its fact."""
    number: Fraction | float | None
    readings: tuple[str, ...] = ()
    try:
        number = parse_quantity(text, fact.unit)
    except QuantityInvalid as error:
        number, readings = None, error.readings
    else:
        number = parse_number(text.strip()) if number is None else number
    if number is not None:
        return float(number)
    unit = f", in {fact.unit} or with a unit" if fact.unit in EXAMPLES else ""
    raise _invalid(parameter, text, f"a number{unit}, such as {fact.example}", readings)


def _invalid(
    parameter: str, text: str, expected: str, readings: tuple[str, ...] = (), *, beside: str = ""
) -> Refused:
    """Return the error for a value of a range; `readings` are what it may mean."""
    message = f"{parameter}={echo(text)} is not valid{beside}"
    return invalid_filter(message, expected, echo(text), readings)
