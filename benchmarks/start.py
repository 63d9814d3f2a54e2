"""How long commands take to start, as ratios to a Python that does nothing: ``python benchmarks/start.py``.

All are started in turn, several times over, so that a busy machine slows them alike; each figure is a median.
"""

import statistics
import subprocess
import sys
import time

ROUNDS = 15
NOTHING = ("-c", "pass")
COMMANDS = (("--help",), ("run", "--help"), ("criteria",), ("topics",), ("plugins",))


def main() -> None:
    started = {command: [] for command in (NOTHING, *COMMANDS)}
    for _ in range(ROUNDS):
        for command, seconds in started.items():
            seconds.append(seconds_of(command if command is NOTHING else ("-m", "bvf", *command)))
    nothing = statistics.median(started[NOTHING])
    print(f"{'python -c pass':>16} {nothing:7.3f} s")
    for command in COMMANDS:
        median = statistics.median(started[command])
        print(f"{' '.join(('bvf', *command)):>16} {median:7.3f} s {median / nothing:6.1f} ×")


def seconds_of(arguments: tuple[str, ...]) -> float:
    """Return how long a Python with such arguments runs."""
    began = time.perf_counter()
    subprocess.run([sys.executable, *arguments], capture_output=True, check=True)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
