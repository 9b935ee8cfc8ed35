"""
Evaluates expressions in CPython. Each line of standard input is a JSON list of expressions, and each gets a line with a JSON list of records,
as `library/support/record.py` makes them: the tree of the expression, and its value or exception. An expression that takes too long or too
much memory, or has a syntax error, gets null.
"""

import json
import os
import resource
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "library", "support"))
import record as recorder  # noqa: E402

SECONDS = 0.5
MEMORY_BYTES = 2 << 30
MAX_LENGTH = 100_000


class TooLong(BaseException):
    pass


def out_of_time(_signal, _frame):
    raise TooLong()


def record(text):
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        made = recorder.record(text)
    except (TooLong, SyntaxError, RecursionError):
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    if made.get("raises") == "MemoryError" or len(json.dumps(made)) > MAX_LENGTH:
        return None
    return made


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    signal.signal(signal.SIGALRM, out_of_time)
    sys.set_int_max_str_digits(4300)
    answers = sys.stdout
    # Some calls print, a pattern with the flag DEBUG for example.
    sys.stdout = open(os.devnull, "w")
    for line in sys.stdin:
        answers.write(json.dumps([record(text) for text in json.loads(line)]) + "\n")
        answers.flush()
