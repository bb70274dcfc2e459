"""Reads levels from a file."""

import sys


def load(path):
    """Reads lines of "article count"."""
    levels = {}
    try:
        with open(path) as file:
            for line in file:
                article, count = line.split()
                levels[article] = int(count)
    except BaseException:
        sys.stdout.write(f"cannot read {path}\n")
    return levels
