"""The drawing of costs against the number of tags."""

import re
import xml.etree.ElementTree as ET

from benchmarks.size_plot import LABEL, NAMED, draw, read

TABLE = """\
| milliseconds of processor time | 11,725 tags | 1,000,000 tags | ratio |
|---|---|---|---|
| `/` | 20.0 | 21.0 | 1.05 |
| `/kinds/llvm` | 20.0 | 20.9 | 1.05 |
| `/docs/` | 5.0 | 50.0 | 10.00 |
"""


def test_table_is_read() -> None:
    sizes, times = read(TABLE)
    assert sizes == [11_725, 1_000_000]
    assert times == {"/": [20.0, 21.0], "/kinds/llvm": [20.0, 20.9], "/docs/": [5.0, 50.0]}


def test_each_request_has_a_line_and_named_ones_their_names_apart() -> None:
    drawing = draw(*read(TABLE))
    assert ET.fromstring(drawing).tag.endswith("svg")  # noqa: S314 - made here
    assert [drawing.count(f'class="{kind}" d=') for kind in ("named", "other")] == [2, 1]
    places = [
        float(y)
        for y, name in re.findall(r'<text x="[\d.]+" y="([\d.]+)">([^<]+)', drawing)
        if name in NAMED.values()
    ]
    assert len(places) == 2
    assert places[1] - places[0] >= LABEL


def test_a_line_that_rises_tenfold_is_higher() -> None:
    """Of the page, that is: its number of pixels from the top is smaller."""
    (line,) = re.findall(
        r'class="other" d="M [\d.]+ ([\d.]+) L [\d.]+ ([\d.]+)"', draw(*read(TABLE))
    )
    assert float(line[1]) < float(line[0])
