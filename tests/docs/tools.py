"""Programs that stand for curl and for compilers in the shell examples of documents."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

# Replaces curl: writes a recorded response to a file or to the output, then `-w`.
CURL = """\
#!{python}
import argparse, json, re, sys
from pathlib import Path
parser = argparse.ArgumentParser()
for flag in ("-f", "-s", "-S"):
    parser.add_argument(flag, action="store_true")
parser.add_argument("-o", default="/dev/stdout")
parser.add_argument("-w", default="")
parser.add_argument("address")
options = parser.parse_args()
assert options.f, "a script must notice errors"
response = json.loads(Path({responses!r}).read_text())[options.address]
Path(options.o).write_text(response["text"])
header = lambda match: response["headers"][match[1]]
sys.stdout.write(re.sub(r"%header\\{{(.*?)\\}}", header, options.w).replace("\\\\n", "\\n"))
"""
# Replaces compilers: records each argument, or the content of a file that it names.
COMPILER = """\
#!/bin/sh
for word; do
    case "$word" in
        @*) cat "${word#@}" ;;
        *=*.cmake) cat "${word#*=}" ;;
        *) printf '%s\\n' "$word" ;;
    esac
done >> given
echo >> given
"""


@dataclass(frozen=True, slots=True)
class Response:
    """A recorded response, with the names of its headers in lower case."""

    text: str
    headers: Mapping[str, str] = field(default_factory=dict)


def run_script(
    script: str, folder: Path, responses: Mapping[str, Response], **environment: str
) -> str:
    """Run a shell script in a folder and return the arguments that compilers were given.

    curl receives the recorded responses, by address. Fails if a command fails.
    """
    recorded = folder / "responses"
    recorded.write_text(
        json.dumps(
            {
                address: {"text": response.text, "headers": dict(response.headers)}
                for address, response in responses.items()
            }
        )
    )
    _install(folder / "curl", CURL.format(python=sys.executable, responses=str(recorded)))
    for tool in ("clang", "cmake", "hipcc", "iree-compile", "nvcc"):
        _install(folder / tool, COMPILER)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(
        ["sh", "-eu", "-c", script], cwd=folder, env={"PATH": path, **environment}, check=True
    )
    given = folder / "given"
    return given.read_text() if given.exists() else ""


def _install(path: Path, script: str) -> None:
    path.write_text(script)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
