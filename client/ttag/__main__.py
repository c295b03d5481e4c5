"""`python -m ttag`, the same as the command `ttag`."""

from __future__ import annotations

import signal
import sys
from types import FrameType

ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class Ended(KeyboardInterrupt):
    """A signal that ends the process; `code` is what a shell reports then."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.code = 128 + number


def run() -> None:
    """Run the command and end the process, without a traceback if a signal ends it.

    Files that are not whole and locks are removed then, as after any error.
    """
    try:
        for number in (signal.SIGINT, *ENDING):
            if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup wants it
                signal.signal(number, _end)
        # Loading takes half of the time of most runs, in which a signal is as likely.
        from ttag.cli.main import main  # noqa: PLC0415 - see above

        code = main()
    except Ended as end:
        code = end.code
    sys.exit(code)


def _end(number: int, _frame: FrameType | None) -> None:
    raise Ended(number)


if __name__ == "__main__":
    run()
